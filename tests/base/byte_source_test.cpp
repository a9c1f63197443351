// Lines and whole inputs of bounded size.
#include "solis/base/byte_source.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "solis/base/byte_sink.h"
#include "solis/base/file_window.h"
#include "solis/base/interrupt.h"
#include "tests/base/temporary_folder.h"

namespace solis {
namespace {

// Compressed to a few kilobytes.
std::string write_zeros(const TemporaryFolder& folder, std::size_t mebibytes) {
    const auto sink = create_sink(folder / "zeros.zst");
    const std::string part(std::size_t{1} << 20, '\0');
    for (std::size_t i = 0; i < mebibytes; ++i) EXPECT_TRUE((*sink)->write(part));
    EXPECT_TRUE((*sink)->finish());
    return folder / "zeros.zst";
}

TEST(LineReader, GivesLinesOfEveryLengthUpToTheLimit) {
    const std::string text = std::string(LineReader::kMaxLine - 1, 'x') + "\r\nshort\n\nlast";
    const auto source = memory_source(text);
    LineReader lines(*source);
    std::vector<std::size_t> lengths;
    std::string_view line;
    for (;;) {
        const auto more = lines.next(line);
        ASSERT_TRUE(more) << more.error().message;
        if (!*more) break;
        lengths.push_back(line.size());
    }
    EXPECT_EQ(lengths, (std::vector<std::size_t>{LineReader::kMaxLine - 1, 5, 0, 4}));
    EXPECT_EQ(lines.line_number(), 4u);
}

TEST(LineReader, RefusesALineThatDoesNotEnd) {
    const TemporaryFolder folder;
    const std::string path = write_zeros(folder, 64);
    EXPECT_LT(std::filesystem::file_size(path), 20'000u);
    const auto source = open_source(path);
    ASSERT_TRUE(source);
    LineReader lines(**source);
    std::string_view line;
    const auto more = lines.next(line);
    ASSERT_FALSE(more);
    EXPECT_EQ(more.error().message, path + ": line 1 is longer than 16 MiB");
}

TEST(OpenInput, RefusesEmptyInput) {
    const TemporaryFolder folder;
    const std::string path = folder.write("nothing", "");
    EXPECT_TRUE(open_source(path));
    const auto input = open_input(path);
    ASSERT_FALSE(input);
    EXPECT_EQ(input.error().message, "'" + path + "' is empty");
    const auto source = open_input(folder.write("x", "x"));
    ASSERT_TRUE(source);
    EXPECT_EQ(*read_all(**source), "x");
}

TEST(ReadAll, RefusesMoreThanItsLimit) {
    const TemporaryFolder folder;
    const std::string path = write_zeros(folder, 8);
    EXPECT_EQ(read_file(path)->size(), std::size_t{8} << 20);
    const auto text = read_file(path, std::size_t{4} << 20);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().message, path + ": more than 4 MiB, too much to be read as a whole");
    EXPECT_FALSE(read_file("/dev/zero", 1000));
}

TEST(ReadRegularFile, RefusesWhatHasNoEnd) {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(read_regular_file("/dev/zero").error().message,
              "cannot read '/dev/zero': it is not a regular file");
    // Nobody writes to the pipe, and nobody waits for that.
    EXPECT_EQ(read_regular_file(pipe).error().message,
              "cannot read '" + pipe + "': it is not a regular file");
    EXPECT_EQ(*read_regular_file(folder.write("a", "content")), "content");
}

TEST(OpenSource, WaitsForTheOtherEndOfAPipe) {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    std::jthread writer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        std::ofstream late(pipe);
        late << "first " << std::flush;
        std::this_thread::sleep_for(std::chrono::milliseconds(150));
        late << "second";
    });
    const auto source = open_source(pipe);
    ASSERT_TRUE(source) << source.error().message;
    const auto text = read_all(**source, 1000);
    ASSERT_TRUE(text) << text.error().message;
    EXPECT_EQ(*text, "first second");
}

TEST(OpenSource, CtrlCEndsTheWaitForASilentPipe) {
    const TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    InterruptWatch watch;
    ASSERT_EQ(::raise(SIGINT), 0);
    const auto source = open_source(pipe);
    const Error error = source ? read_all(**source, 1000).error() : source.error();
    EXPECT_EQ(error.message, pipe + ": interrupted while waiting for input");
    EXPECT_TRUE(watch.requested());
}

TEST(FileWindow, ReadsAnywhere) {
    const TemporaryFolder folder;
    std::string bytes(700'000, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 % 251);
    auto file = FileWindow::open(folder.write("a", bytes));
    ASSERT_TRUE(file);
    EXPECT_EQ(file->size(), bytes.size());
    for (const auto& [at, size] : {std::pair<std::size_t, std::size_t>{0, 1},
                                   {0, 0},
                                   {600'000, 100'000},
                                   {5, 600'000},
                                   {262'140, 10},
                                   {700'000, 0},
                                   {3, 4}}) {
        const auto view = file->view(at, size);
        ASSERT_TRUE(view);
        EXPECT_EQ(*view, std::string_view(bytes).substr(at, size)) << at;
    }
}

TEST(FileWindow, AFileThatShrinksIsAnError) {
    const TemporaryFolder folder;
    const std::string path = folder.write("a", std::string(1'000'000, 'x'));
    auto file = FileWindow::open(path);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->view(0, 100));
    std::filesystem::resize_file(path, 500'000);
    const auto view = file->view(800'000, 100);
    ASSERT_FALSE(view);
    EXPECT_NE(view.error().message.find("was cut off"), std::string::npos) << view.error().message;
}

}  // namespace
}  // namespace solis
