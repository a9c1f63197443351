// ByteSource over file descriptors, memory and zstd streams.
#include "solis/base/byte_source.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "solis/base/file_descriptor.h"

namespace solis {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 17;

class FileSource final : public ByteSource {
  public:
    FileSource(int descriptor, std::string name, bool owned)
        : descriptor_(descriptor), name_(std::move(name)), owned_(owned) {}
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override {
        if (owned_) ::close(descriptor_);
    }

    Result<std::size_t> read(std::span<char> buffer) override {
        for (;;) {
            if (auto ok = wait(); !ok) return tl::unexpected(ok.error());
            const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
            if (got >= 0) return static_cast<std::size_t>(got);
            if (errno == EINTR || errno == EAGAIN) continue;
            return fail(fmt::format("{}: {}", name_, std::strerror(errno)));
        }
    }
    std::string name() const override { return name_; }

  private:
    // Returns when there is something to read, or the end. A pipe may stay silent for ever, and a
    // command that holds back Ctrl-C to end in order (InterruptWatch) would never get to look.
    [[nodiscard]] Result<void> wait() const {
        pollfd here{descriptor_, POLLIN, 0};
        while (::poll(&here, 1, kLookMs) == 0) {
            sigset_t pending;
            ::sigpending(&pending);
            if (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1) {
                return fail(fmt::format("{}: interrupted while waiting for input", name_));
            }
        }
        return {};
    }

    static constexpr int kLookMs = 100;

    int descriptor_;
    std::string name_;
    bool owned_;
};

class MemorySource final : public ByteSource {
  public:
    explicit MemorySource(std::string_view bytes) : rest_(bytes) {}

    Result<std::size_t> read(std::span<char> buffer) override {
        const std::size_t n = rest_.copy(buffer.data(), buffer.size());
        rest_.remove_prefix(n);
        return n;
    }

  private:
    std::string_view rest_;
};

// Gives the bytes that were read to recognise the format back before the rest.
class PrefixedSource final : public ByteSource {
  public:
    PrefixedSource(std::string prefix, std::unique_ptr<ByteSource> rest)
        : prefix_(std::move(prefix)), rest_(std::move(rest)) {}

    Result<std::size_t> read(std::span<char> buffer) override {
        if (given_ == prefix_.size()) return rest_->read(buffer);
        const std::size_t n = prefix_.copy(buffer.data(), buffer.size(), given_);
        given_ += n;
        return n;
    }
    std::string name() const override { return rest_->name(); }

  private:
    std::string prefix_;
    std::size_t given_ = 0;
    std::unique_ptr<ByteSource> rest_;
};

class ZstdSource final : public ByteSource {
  public:
    ZstdSource(std::unique_ptr<ByteSource> compressed, std::string name)
        : compressed_(std::move(compressed)),
          name_(std::move(name)),
          stream_(ZSTD_createDStream()),
          input_(ZSTD_DStreamInSize()) {
        // Frames made with --ultra --long windows; more would let a small file claim any memory.
        ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, 27);
    }

    Result<std::size_t> read(std::span<char> buffer) override {
        ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
        while (out.pos == 0 && out.size != 0) {
            if (in_.pos == in_.size && !may_hold_output_) {
                auto got = compressed_->read(input_);
                if (!got) return got;
                if (*got == 0) {
                    if (inside_frame_) return fail(fmt::format("{}: zstd data is cut off", name_));
                    return 0;
                }
                in_ = {input_.data(), *got, 0};
            }
            const std::size_t status = ZSTD_decompressStream(stream_.get(), &out, &in_);
            if (ZSTD_isError(status)) {
                return fail(
                    fmt::format("{}: damaged zstd data: {}", name_, ZSTD_getErrorName(status)));
            }
            inside_frame_ = status != 0;
            may_hold_output_ = out.pos == out.size && inside_frame_;
        }
        return out.pos;
    }
    std::string name() const override { return name_; }

  private:
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };

    std::unique_ptr<ByteSource> compressed_;
    std::string name_;
    std::unique_ptr<ZSTD_DStream, Free> stream_;
    std::vector<char> input_;
    ZSTD_inBuffer in_{nullptr, 0, 0};
    bool inside_frame_ = false;
    bool may_hold_output_ = false;  // the decoder stopped because the caller's buffer was full
};

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path) {
    if (path == "-") return std::make_unique<FileSource>(STDIN_FILENO, "standard input", false);
    // Opening a named pipe would wait for its other end, deaf to Ctrl-C; read() waits instead.
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return fail(fmt::format("cannot open '{}': {}", path, std::strerror(errno)));
    }
    auto source = std::make_unique<FileSource>(descriptor, path, true);
    struct stat info {};
    if (::fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode)) {
        return fail(fmt::format("cannot read '{}': it is a folder", path));
    }
    return source;
}

constexpr std::string_view kZstdMagic("\x28\xB5\x2F\xFD", 4);

// The first bytes, fewer than there are in the magic number only where there are no more.
Result<std::string> read_prefix(ByteSource& file) {
    std::string prefix;
    while (prefix.size() < kZstdMagic.size()) {
        std::array<char, kZstdMagic.size()> bytes;
        auto got = file.read(std::span(bytes).first(kZstdMagic.size() - prefix.size()));
        if (!got) return tl::unexpected(got.error());
        if (*got == 0) break;
        prefix.append(bytes.data(), *got);
    }
    return prefix;
}

Result<std::unique_ptr<ByteSource>> open_with_prefix(const std::string& path, bool may_be_empty) {
    auto file = open_file(path);
    if (!file) return file;
    auto prefix = read_prefix(**file);
    if (!prefix) return tl::unexpected(prefix.error());
    if (prefix->empty() && !may_be_empty) {
        return fail(path == "-" ? "standard input is empty" : fmt::format("'{}' is empty", path));
    }
    const bool is_zstd = *prefix == kZstdMagic;
    auto whole = std::make_unique<PrefixedSource>(std::move(*prefix), std::move(*file));
    if (!is_zstd) return whole;
    return std::make_unique<ZstdSource>(std::move(whole), path);
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
    return open_with_prefix(path, true);
}

Result<std::unique_ptr<ByteSource>> open_input(const std::string& path) {
    return open_with_prefix(path, false);
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes) {
    return std::make_unique<MemorySource>(bytes);
}

Result<std::string> read_all(ByteSource& source, std::size_t most) {
    std::string text;
    for (;;) {
        const std::size_t old_size = text.size();
        text.resize(old_size + kChunk);
        const auto got = source.read(std::span(text).subspan(old_size));
        if (!got) return tl::unexpected(got.error());
        text.resize(old_size + *got);
        if (*got == 0) return text;
        if (text.size() > most) {
            return fail(fmt::format("{}: more than {} MiB, too much to be read as a whole",
                                    source.name(), most >> 20));
        }
    }
}

Result<std::string> read_file(const std::string& path, std::size_t most) {
    const auto source = open_source(path);
    if (!source) return tl::unexpected(source.error());
    return read_all(**source, most);
}

Result<std::string> read_regular_file(const std::string& path) {
    const auto file = FileDescriptor::open_regular(path);
    if (!file) return tl::unexpected(file.error());
    const auto failure = [&](const Error& error) {
        return fail_in(fmt::format("cannot read '{}'", path), error);
    };
    const auto size = file->size();
    if (!size) return failure(size.error());
    std::string bytes(static_cast<std::size_t>(*size), '\0');
    const auto got =
        file->read_at(0, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
    if (!got) return failure(got.error());
    bytes.resize(*got);
    return bytes;
}

Result<bool> LineReader::refill() {
    if (at_end_) return false;
    if (buffer_.size() - begin_ > kMaxLine) {
        return fail(fmt::format("{}: line {} is longer than {} MiB", source_.name(),
                                line_number_ + 1, kMaxLine >> 20),
                    "this is hardly a text file; is it of the format that was asked for?");
    }
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t old_size = buffer_.size();
    buffer_.resize(old_size + std::max(kChunk, old_size));
    const auto got = source_.read(std::span(buffer_).subspan(old_size));
    buffer_.resize(old_size + (got ? *got : 0));
    if (!got) return tl::unexpected(got.error());
    at_end_ = *got == 0;
    return !at_end_;
}

Result<bool> LineReader::next(std::string_view& line) {
    std::size_t searched = 0;
    std::size_t end = std::string::npos;
    while ((end = buffer_.find('\n', begin_ + searched)) == std::string::npos) {
        searched = buffer_.size() - begin_;
        const auto more = refill();
        if (!more) return more;
        if (!*more) break;
    }
    if (end == std::string::npos && begin_ == buffer_.size()) return false;
    const std::size_t stop = std::min(end, buffer_.size());
    line = std::string_view(buffer_).substr(begin_, stop - begin_);
    begin_ = std::min(stop + 1, buffer_.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++line_number_;
    return true;
}

}  // namespace solis
