// HDF5 through its module: what rows mean, and which module reads and writes them.
#include "solis/data/formats/hdf5_format.h"

#include <cmath>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "solis/base/module.h"
#include "solis/base/pending_file.h"
#include "solis/chess/fen.h"
#include "solis/data/formats/bag_format.h"
#include "solis/data/formats/fields.h"
#include "solis/data/formats/position_sink.h"
#include "solis/data/hdf5/module.h"
#include "solis/data/inputs/tokenizer.h"

namespace solis::data {
namespace {

Result<void*> hdf5_function(const char* name) {
    auto function = load_function("solis-hdf5", name);
    if (function) return function;
    return fail(fmt::format("HDF5 cannot be loaded: {}", function.error().message),
                "install Debian's libhdf5-103-1 (to build the module: libhdf5-dev), or use another "
                "format");
}

Result<bool> finish_hdf5_row(const Result<chess::Position>& position, std::string_view row,
                             LabelledGame& game) {
    if (!position) return tl::unexpected(position.error());
    float p = 0;
    std::memcpy(&p, row.data(), sizeof p);
    const Score white = Score::from_win_probability(static_cast<double>(p));
    if (white.is_none()) return fail(fmt::format("win probability {} is outside 0..1", p));
    set_position(game, *position, seen_by(position->side_to_move(), white));
    return true;
}

Result<bool> parse_token_row(std::string_view row, LabelledGame& game) {
    Tokens tokens;
    std::memcpy(tokens.data(), row.data() + sizeof(float), tokens.size());
    return finish_hdf5_row(detokenize(tokens, Tokenizer::Reference), row, game);
}

Result<bool> parse_fen_row(std::string_view row, LabelledGame& game) {
    return finish_hdf5_row(chess::parse_fen(row.substr(sizeof(float))), row, game);
}

class Hdf5Sink final : public PositionSink {
  public:
    Hdf5Sink(PendingFile pending, std::unique_ptr<Hdf5Writer> writer)
        : pending_(std::move(pending)), writer_(std::move(writer)) {}

    Result<void> finish() override {
        if (auto flushed = flush(); !flushed) return flushed;
        if (auto closed = writer_->close(); !closed) return closed;
        return pending_.commit();
    }

  private:
    Result<void> write_position(const LabelledPosition& labelled) override {
        for (const std::uint8_t token : tokenize(labelled.position, Tokenizer::Reference)) {
            tokens_.push_back(token);
        }
        const Score white = seen_by(labelled.position.side_to_move(), labelled.score);
        // 1 means a forced mate to readers of these files, so a clear score must not round to it.
        const auto p = static_cast<float>(probability_short_of_mate(white));
        const bool rounded_up = p == 1 && !white.is_mate();
        probabilities_.push_back(rounded_up ? std::nextafter(1.0f, 0.0f) : p);
        return probabilities_.size() < kHdf5ChunkRows ? Result<void>{} : flush();
    }

    Result<void> flush() {
        if (!probabilities_.empty()) {
            if (auto ok = writer_->append(tokens_, probabilities_); !ok) return ok;
        }
        tokens_.clear();
        probabilities_.clear();
        return {};
    }

    PendingFile pending_;
    std::unique_ptr<Hdf5Writer> writer_;
    std::vector<std::int32_t> tokens_;
    std::vector<float> probabilities_;
};

}  // namespace

Result<RowFormat> open_hdf5(const std::string& path) {
    const auto function = hdf5_function("solis_open_hdf5");
    if (!function) return fail_in(path, function.error());
    Result<Hdf5Reading> opened;
    reinterpret_cast<OpenHdf5> (*function)(path, opened);
    if (!opened) return tl::unexpected(opened.error());
    const bool are_tokens = opened->are_tokens;
    return RowFormat{std::move(opened->rows), [are_tokens]() -> ParseRow {
                         return are_tokens ? parse_token_row : parse_fen_row;
                     }};
}

Result<std::unique_ptr<GameSink>> create_hdf5(const std::string& path, Existing existing) {
    const auto function = hdf5_function("solis_create_hdf5");
    if (!function) return fail_in(path, function.error());
    auto pending = PendingFile::create(path, existing);
    if (!pending) return tl::unexpected(pending.error());
    Result<std::unique_ptr<Hdf5Writer>> writer;
    reinterpret_cast<CreateHdf5> (*function)(pending->temporary_path(), writer);
    if (!writer) return fail_in(path, writer.error());
    return std::make_unique<Hdf5Sink>(std::move(*pending), std::move(*writer));
}

}  // namespace solis::data
