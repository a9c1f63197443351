// Reading net files.
#include "solis/model/nnue/teacher_net.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "solis/base/file_window.h"

namespace solis::model {
namespace {

// A checksum over words of eight bytes, which takes some milliseconds for a whole net.
std::uint64_t fingerprint_of(std::string_view bytes) {
    std::uint64_t sum = 0xCBF29CE484222325;
    for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data(), sizeof(word));
        sum = std::rotl((sum ^ word) * 0x9E3779B97F4A7C15, 29);
    }
    for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3;
    return sum;
}

// No net of this kind is longer. Of a longer file only the header is read.
constexpr std::uint64_t kMaxNetBytes = 64 << 20;
constexpr std::uint64_t kHeaderBytes = 8192;

Result<nn::NnueWeights> read_weights(FileWindow& file, std::uint64_t& fingerprint) {
    const std::uint64_t size = file.size() > kMaxNetBytes ? kHeaderBytes : file.size();
    const auto bytes = file.view(0, static_cast<std::size_t>(size));
    if (!bytes) return tl::unexpected(bytes.error());
    if (file.size() > kMaxNetBytes && nn::looks_like_nnue(*bytes)) {
        return fail(fmt::format("{} bytes are too many for a net", file.size()),
                    "write it again with `export_net FILE` of Stockfish 15.1");
    }
    fingerprint = fingerprint_of(*bytes);
    return nn::parse_nnue(*bytes);
}

}  // namespace

Result<std::shared_ptr<const TeacherNet>> load_teacher_net(const std::string& path) {
    auto file = FileWindow::open(path);
    if (!file) return tl::unexpected(file.error());
    std::uint64_t fingerprint = 0;
    auto weights = read_weights(*file, fingerprint);
    if (!weights) return fail_in(path, weights.error());
    return std::make_shared<const TeacherNet>(TeacherNet{
        nn::NnueNet(std::move(*weights)), fmt::format("net of Stockfish 15.1 {:016x}", fingerprint),
        std::max<std::uint64_t>(fingerprint, 1)});
}

}  // namespace solis::model
