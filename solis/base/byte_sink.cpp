// ByteSink over files, standard output and zstd.
#include "solis/base/byte_sink.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <stdio_ext.h>
#include <zstd.h>

#include "solis/base/pending_file.h"

namespace solis {
namespace {

constexpr std::size_t kGathered = std::size_t{1} << 17;

class FileSink final : public ByteSink {
  public:
    explicit FileSink(PendingFile file) : file_(std::move(file)) {}

    Result<void> write(std::string_view bytes) override {
        gathered_ += bytes;
        return gathered_.size() < kGathered ? Result<void>{} : flush();
    }
    Result<void> finish() override {
        if (auto flushed = flush(); !flushed) return flushed;
        return file_.commit();
    }

  private:
    Result<void> flush() {
        auto written = file_.write(gathered_);
        gathered_.clear();
        return written;
    }

    PendingFile file_;
    std::string gathered_;
};

class StandardOutputSink final : public ByteSink {
  public:
    Result<void> write(std::string_view bytes) override {
        if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size()) return {};
        return failure(errno);
    }
    Result<void> finish() override {
        if (std::fflush(stdout) == 0) return {};
        return failure(errno);
    }

  private:
    // What is told here is not to be told again when the program ends.
    static tl::unexpected<Error> failure(int reason) {
        ::__fpurge(stdout);
        std::clearerr(stdout);
        return fail(fmt::format("cannot write standard output: {}", std::strerror(reason)));
    }
};

class ZstdSink final : public ByteSink {
  public:
    explicit ZstdSink(std::unique_ptr<ByteSink> compressed)
        : compressed_(std::move(compressed)),
          stream_(ZSTD_createCStream()),
          output_(ZSTD_CStreamOutSize()) {
        ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
    }

    Result<void> write(std::string_view bytes) override {
        ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
        while (in.pos < in.size) {
            if (auto ok = step(in, ZSTD_e_continue); !ok) return tl::unexpected(ok.error());
        }
        return {};
    }
    Result<void> finish() override {
        ZSTD_inBuffer nothing{nullptr, 0, 0};
        for (;;) {
            const auto left = step(nothing, ZSTD_e_end);
            if (!left) return tl::unexpected(left.error());
            if (*left == 0) return compressed_->finish();
        }
    }

  private:
    struct Free {
        void operator()(ZSTD_CStream* stream) const { ZSTD_freeCStream(stream); }
    };

    // What is left to be flushed.
    Result<std::size_t> step(ZSTD_inBuffer& in, ZSTD_EndDirective mode) {
        ZSTD_outBuffer out{output_.data(), output_.size(), 0};
        const std::size_t left = ZSTD_compressStream2(stream_.get(), &out, &in, mode);
        if (ZSTD_isError(left)) return fail(fmt::format("zstd: {}", ZSTD_getErrorName(left)));
        if (auto ok = compressed_->write({output_.data(), out.pos}); !ok) {
            return tl::unexpected(ok.error());
        }
        return left;
    }

    std::unique_ptr<ByteSink> compressed_;
    std::unique_ptr<ZSTD_CStream, Free> stream_;
    std::vector<char> output_;
};

}  // namespace

Result<std::unique_ptr<ByteSink>> create_sink(const std::string& path, Existing existing) {
    if (path == "-") return std::make_unique<StandardOutputSink>();
    auto file = PendingFile::create(path, existing);
    if (!file) return tl::unexpected(file.error());
    auto plain = std::make_unique<FileSink>(std::move(*file));
    if (!path.ends_with(".zst")) return plain;
    return std::make_unique<ZstdSink>(std::move(plain));
}

}  // namespace solis
