// Export of isolated positions.
#include "solis/data/formats/position_exports.h"

#include <fmt/format.h>
#include <zstd.h>

#include "solis/chess/fen.h"
#include "solis/data/formats/bag_format.h"
#include "solis/data/formats/fields.h"
#include "solis/data/formats/position_sink.h"

namespace solis::data {
namespace {

// Appends one position to `out`.
using AppendText = void (*)(std::string& out, const LabelledPosition& labelled);

void append_text_line(std::string& out, const LabelledPosition& labelled) {
    const Score white = seen_by(labelled.position.side_to_move(), labelled.score);
    const char* result = labelled.result == GameResult::WhiteWins   ? "1.0"
                         : labelled.result == GameResult::BlackWins ? "0.0"
                                                                    : "0.5";
    fmt::format_to(std::back_inserter(out), "{} | {} | {}\n", chess::to_fen(labelled.position),
                   white.value(), result);
}

void append_tsv(std::string& out, const LabelledPosition& labelled) {
    fmt::format_to(std::back_inserter(out), "{}\t{}\n", chess::to_fen(labelled.position),
                   labelled.score.value());
}

void append_json(std::string& out, const LabelledPosition& labelled) {
    const Score score = labelled.score;
    const auto at = std::back_inserter(out);
    fmt::format_to(at, R"({{"fen":"{}","{}":{},"p":{:.6f})", chess::to_fen(labelled.position),
                   score.is_mate() ? "mate" : "cp",
                   score.is_mate() ? mate_moves(score) : score.value(), score.win_probability());
    if (labelled.result != GameResult::Unknown) {
        fmt::format_to(at, R"(,"result":"{}")", chess::to_string(labelled.result));
    }
    out += "}\n";
}

void append_marlin_text(std::string& out, const LabelledPosition& labelled) {
    Bytes record;
    append_marlin(record, labelled);
    out += as_text(record);
}

void append_bullet_text(std::string& out, const LabelledPosition& labelled) {
    Bytes record;
    append_bullet(record, labelled);
    out += as_text(record);
}

class StreamSink final : public PositionSink {
  public:
    StreamSink(std::unique_ptr<ByteSink> out, AppendText append, bool needs_result)
        : out_(std::move(out)), append_(append), needs_result_(needs_result) {}

    Result<void> finish() override { return out_->finish(); }

  private:
    Result<void> write_position(const LabelledPosition& labelled) override {
        buffer_.clear();
        append_(buffer_, labelled);
        return out_->write(buffer_);
    }
    bool needs_result() const override { return needs_result_; }

    std::unique_ptr<ByteSink> out_;
    AppendText append_;
    bool needs_result_;
    std::string buffer_;
};

class BagSink final : public PositionSink {
  public:
    BagSink(std::unique_ptr<ByteSink> out, bool compressed) : out_(std::move(out)) {
        if (compressed) compressor_.reset(ZSTD_createCCtx());
    }

    Result<void> finish() override {
        if (auto ok = out_->write(as_text(limits_)); !ok) return ok;
        return out_->finish();
    }

  private:
    struct Free {
        void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
    };

    Result<void> write_position(const LabelledPosition& labelled) override {
        std::string record = chessbench_state_value(labelled.position, labelled.score);
        if (compressor_) {
            std::string frame(ZSTD_compressBound(record.size()), '\0');
            frame.resize(ZSTD_compressCCtx(compressor_.get(), frame.data(), frame.size(),
                                           record.data(), record.size(), ZSTD_CLEVEL_DEFAULT));
            record = std::move(frame);
        }
        end_ += record.size();
        append_little_endian(limits_, end_);
        return out_->write(record);
    }

    std::unique_ptr<ByteSink> out_;
    std::unique_ptr<ZSTD_CCtx, Free> compressor_;
    std::uint64_t end_ = 0;
    Bytes limits_;  // 8 bytes per record, written at the end
};

}  // namespace

std::unique_ptr<GameSink> text_sink(std::unique_ptr<ByteSink> out) {
    return std::make_unique<StreamSink>(std::move(out), append_text_line, true);
}

std::unique_ptr<GameSink> tsv_sink(std::unique_ptr<ByteSink> out) {
    return std::make_unique<StreamSink>(std::move(out), append_tsv, false);
}

std::unique_ptr<GameSink> json_sink(std::unique_ptr<ByteSink> out) {
    return std::make_unique<StreamSink>(std::move(out), append_json, false);
}

std::unique_ptr<GameSink> marlin_sink(std::unique_ptr<ByteSink> out) {
    return std::make_unique<StreamSink>(std::move(out), append_marlin_text, true);
}

std::unique_ptr<GameSink> bullet_sink(std::unique_ptr<ByteSink> out) {
    return std::make_unique<StreamSink>(std::move(out), append_bullet_text, true);
}

std::unique_ptr<GameSink> bag_sink(std::unique_ptr<ByteSink> out, bool compressed) {
    return std::make_unique<BagSink>(std::move(out), compressed);
}

}  // namespace solis::data
