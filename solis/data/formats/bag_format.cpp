// Reading bags and ChessBench records.
#include "solis/data/formats/bag_format.h"

#include <bit>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <zstd.h>

#include "solis/base/bytes.h"
#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/data/formats/fields.h"

namespace solis::data {
namespace {

// No record comes near; a small file must not claim any memory.
constexpr std::size_t kLongestRecord = std::size_t{1} << 16;

constexpr std::size_t kProbabilitySize = 8;

// Beam writes the length of a string as a varint in front of it.
Result<std::string_view> take_string(ByteReader& reader, std::string_view what) {
    const std::string_view text = as_text(reader.bytes(reader.varint()));
    if (!reader.ok()) return fail(fmt::format("{} is longer than the record", what));
    return text;
}

// A double, the most significant byte first.
Result<Score> read_win_probability(ByteView bytes) {
    std::uint64_t bits = 0;
    for (const std::uint8_t byte : bytes) bits = bits << 8 | byte;
    const double p = std::bit_cast<double>(bits);
    const Score score = Score::from_win_probability(p);
    if (score.is_none()) return fail(fmt::format("win probability {} is outside 0..1", p));
    return score;
}

Result<bool> read_action_value(ByteReader& reader, LabelledGame& game) {
    const auto text = take_string(reader, "move");
    if (!text) return tl::unexpected(text.error());
    if (reader.remaining() != kProbabilitySize) {
        return fail(
            fmt::format("{} bytes after the move, expected a win probability", reader.remaining()));
    }
    const auto move = chess::parse_uci(game.start, *text);
    if (!move) return tl::unexpected(move.error());
    const auto score = read_win_probability(reader.bytes(kProbabilitySize));
    if (!score) return tl::unexpected(score.error());
    // The mover's probability; the branch is seen by the opponent, who is to move there.
    game.branches.push_back({.first = *move, .second = {}, .score = score->negated()});
    game.line[0].branch_count = 1;
    return true;
}

Result<bool> read_behavioral_cloning(std::string_view text, LabelledGame& game) {
    const auto move = chess::parse_uci(game.start, text);
    if (!move) return tl::unexpected(move.error());
    game.line.push_back({.move = *move, .score = {}, .second_look = {}, .branch_count = 0});
    return true;
}

class BagRows final : public RowReader {
  public:
    BagRows(BagView bag, bool compressed) : bag_(bag) {
        if (compressed) decompressor_.reset(ZSTD_createDCtx());
    }
    BagRows(std::vector<MappedFile> files, BagView bag, bool compressed)
        : BagRows(bag, compressed) {
        files_ = std::move(files);
    }

    Result<bool> next(std::string_view& row) override {
        if (next_ == bag_.size()) return false;
        const auto record = bag_.record(next_++);
        // Damage to one record is for the parser to report; the next ones may be whole.
        row = record ? *record : std::string_view{};
        if (decompressor_ && !row.empty()) row = decompressed(row);
        return true;
    }
    std::string_view unit() const override { return "record"; }

  private:
    struct Free {
        void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
    };

    std::string_view decompressed(std::string_view frame) {
        buffer_.resize(kLongestRecord);
        const std::size_t size = ZSTD_decompressDCtx(decompressor_.get(), buffer_.data(),
                                                     buffer_.size(), frame.data(), frame.size());
        if (ZSTD_isError(size)) return {};
        return std::string_view(buffer_).substr(0, size);
    }

    std::vector<MappedFile> files_;
    BagView bag_;
    std::size_t next_ = 0;
    std::unique_ptr<ZSTD_DCtx, Free> decompressor_;  // only for .bagz
    std::string buffer_;
};

Result<bool> parse_bag_row(std::string_view record, LabelledGame& game) {
    if (record.empty()) return fail("empty or damaged record");
    if (record.size() > kLongestRecord) {
        return fail(fmt::format("record of {} bytes, at most {}", record.size(), kLongestRecord));
    }
    return parse_chessbench(record, game);
}

std::uint64_t limit_at(std::string_view limits, std::size_t i) {
    return load_little_endian<std::uint64_t>(as_bytes(limits).data() + 8 * i);
}

std::string limits_path(const std::string& path) {
    const std::filesystem::path file(path);
    return (file.parent_path() / fmt::format("limits.{}", file.filename().string())).string();
}

}  // namespace

Result<BagView> BagView::split(std::string_view file) {
    if (file.empty()) return BagView{};
    if (file.size() < 8) return fail(fmt::format("{} bytes are too few for a bag", file.size()));
    const auto start = limit_at(file.substr(file.size() - 8), 0);
    if (start > file.size() - 8 || (file.size() - start) % 8 != 0) {
        return fail(fmt::format("not a bag: its last 8 bytes put the index at {} of {}", start,
                                file.size()),
                    "the file may be cut off; download it again");
    }
    return BagView{file.substr(0, start), file.substr(start)};
}

Result<std::string_view> BagView::record(std::size_t i) const {
    const auto begin = i == 0 ? 0 : limit_at(limits, i - 1);
    const auto end = limit_at(limits, i);
    if (begin > end || end > records.size()) {
        return fail(fmt::format("record from {} to {} in {} bytes", begin, end, records.size()));
    }
    return records.substr(begin, end - begin);
}

Result<std::vector<std::string>> expand_shards(const std::string& path) {
    const std::size_t at = path.rfind('@');
    if (at == std::string::npos) return std::vector{path};
    std::size_t end = at + 1;
    while (end < path.size() && path[end] >= '0' && path[end] <= '9') ++end;
    const auto count = parse_number<int>(std::string_view(path).substr(at + 1, end - at - 1));
    if (!count || *count > 99999) {
        return fail(fmt::format("'{}': expected a number of shards below 100000 after '@'", path));
    }
    std::vector<std::string> shards;
    for (int i = 0; i < *count; ++i) {
        shards.push_back(
            fmt::format("{}-{:05}-of-{:05}{}", path.substr(0, at), i, *count, path.substr(end)));
    }
    if (shards.empty()) shards.push_back(path.substr(0, at) + path.substr(end));  // "@0"
    return shards;
}

RowFormat bag_rows(BagView bag, bool compressed) {
    return {std::make_unique<BagRows>(bag, compressed), [] { return parse_bag_row; }};
}

Result<RowFormat> open_bag(const std::string& path) {
    std::vector<MappedFile> files;
    for (const std::string& name : {path, limits_path(path)}) {
        if (!files.empty() && !std::filesystem::exists(name)) break;
        auto file = MappedFile::open(name);
        if (!file) return tl::unexpected(file.error());
        files.push_back(std::move(*file));
    }
    Result<BagView> bag = files.size() == 1 ? BagView::split(files[0].bytes())
                                            : BagView{files[0].bytes(), files[1].bytes()};
    if (!bag) return fail_in(path, bag.error());
    if (bag->limits.size() % 8 != 0) {
        return fail(fmt::format("{}: {} bytes are no multiple of 8", limits_path(path),
                                bag->limits.size()));
    }
    auto rows = std::make_unique<BagRows>(std::move(files), *bag, path.ends_with(".bagz"));
    return RowFormat{std::move(rows), [] { return parse_bag_row; }};
}

Result<bool> parse_chessbench(std::string_view record, LabelledGame& game) {
    ByteReader reader(as_bytes(record));
    const auto fen = take_string(reader, "FEN");
    if (!fen) return tl::unexpected(fen.error());
    const auto position = chess::parse_fen(*fen);
    if (!position) return tl::unexpected(position.error());
    set_position(game, *position, Score());
    const std::size_t rest = reader.remaining();
    if (rest > kProbabilitySize) return read_action_value(reader, game);
    if (rest < kProbabilitySize) return read_behavioral_cloning(as_text(reader.bytes(rest)), game);
    const auto score = read_win_probability(reader.bytes(kProbabilitySize));
    if (!score) return tl::unexpected(score.error());
    game.line[0].score = *score;
    return true;
}

double probability_short_of_mate(Score score) {
    const double p = score.win_probability();
    return score.is_mate() || p < 1 ? p : std::nextafter(1.0, 0.0);
}

std::string chessbench_state_value(const chess::Position& position, Score score) {
    const std::string fen = chess::to_fen(position);
    Bytes length;
    append_varint(length, fen.size());
    std::string record(as_text(length));
    record += fen;
    const auto bits = std::bit_cast<std::uint64_t>(probability_short_of_mate(score));
    for (int shift = 56; shift >= 0; shift -= 8) record += static_cast<char>(bits >> shift);
    return record;
}

}  // namespace solis::data
