// Reading bags and ChessBench records.
#include "solis/data/formats/bag_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <zstd.h>

#include "solis/base/bytes.h"
#include "solis/base/file_window.h"
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

// The records of a bag by number, wherever they lie.
class BagRecords {
  public:
    virtual ~BagRecords() = default;
    [[nodiscard]] virtual std::size_t size() const = 0;
    // Valid until the next call. Empty for a record whose ends are damaged: that is for the parser
    // to report, as the next ones may be whole. Fails where the file cannot be read.
    [[nodiscard]] virtual Result<std::string_view> record(std::size_t i) = 0;
};

class BagInMemory final : public BagRecords {
  public:
    explicit BagInMemory(BagView bag) : bag_(bag) {}
    std::size_t size() const override { return bag_.size(); }
    Result<std::string_view> record(std::size_t i) override {
        return bag_.record(i).value_or(std::string_view{});
    }

  private:
    BagView bag_;
};

class BagInFile final : public BagRecords {
  public:
    // The index is everything from `index_at` on in `limits`; all records end at `records_end`.
    BagInFile(FileWindow records, FileWindow limits, std::uint64_t records_end,
              std::uint64_t index_at)
        : records_(std::move(records)),
          limits_(std::move(limits)),
          records_end_(records_end),
          index_at_(index_at) {}

    std::size_t size() const override { return (limits_.size() - index_at_) / 8; }
    Result<std::string_view> record(std::size_t i) override {
        const auto begin = i == 0 ? Result<std::uint64_t>(0) : end_of(i - 1);
        const auto end = end_of(i);
        if (!begin) return tl::unexpected(begin.error());
        if (!end) return tl::unexpected(end.error());
        if (*begin > *end || *end > records_end_) return std::string_view{};
        // Longer records are refused by the parser, which needs no more to see it.
        const std::uint64_t bytes = std::min<std::uint64_t>(*end - *begin, kLongestRecord + 1);
        return records_.view(*begin, static_cast<std::size_t>(bytes));
    }

  private:
    Result<std::uint64_t> end_of(std::size_t i) {
        const auto bytes = limits_.view(index_at_ + 8 * std::uint64_t{i}, 8);
        if (!bytes) return tl::unexpected(bytes.error());
        return load_little_endian<std::uint64_t>(as_bytes(*bytes).data());
    }

    FileWindow records_;
    FileWindow limits_;  // the same file again where the index is at its end
    std::uint64_t records_end_;
    std::uint64_t index_at_;
};

class BagRows final : public RowReader {
  public:
    BagRows(std::unique_ptr<BagRecords> bag, bool compressed) : bag_(std::move(bag)) {
        if (compressed) decompressor_.reset(ZSTD_createDCtx());
    }

    Result<bool> next(std::string_view& row) override {
        if (next_ == bag_->size()) return false;
        const auto record = bag_->record(next_++);
        if (!record) return tl::unexpected(record.error());
        row = *record;
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

    std::unique_ptr<BagRecords> bag_;
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

// `start` is where the last 8 bytes of a file put its index.
Result<void> check_index(std::uint64_t start, std::uint64_t file_size) {
    if (start <= file_size - 8 && (file_size - start) % 8 == 0) return {};
    return fail(
        fmt::format("not a bag: its last 8 bytes put the index at {} of {}", start, file_size),
        "the file may be cut off; download it again");
}

// A bag with the index at its end.
Result<std::unique_ptr<BagRecords>> open_single_bag(const std::string& path, FileWindow file) {
    const std::uint64_t size = file.size();
    if (size == 0) return fail(fmt::format("'{}' is empty", path));
    if (size < 8) return fail(fmt::format("{}: {} bytes are too few for a bag", path, size));
    auto index = FileWindow::open(path);
    if (!index) return tl::unexpected(index.error());
    if (index->size() != size) return fail(fmt::format("'{}' is being written", path));
    const auto last = index->view(size - 8, 8);
    if (!last) return tl::unexpected(last.error());
    const std::uint64_t start = limit_at(*last, 0);
    if (auto ok = check_index(start, size); !ok) return fail_in(path, ok.error());
    return std::make_unique<BagInFile>(std::move(file), std::move(*index), start, start);
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
    if (auto ok = check_index(start, file.size()); !ok) return tl::unexpected(ok.error());
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
    return {std::make_unique<BagRows>(std::make_unique<BagInMemory>(bag), compressed),
            [] { return parse_bag_row; }};
}

Result<RowFormat> open_bag(const std::string& path) {
    auto file = FileWindow::open(path);
    if (!file) return tl::unexpected(file.error());
    const std::string index_path = limits_path(path);
    std::unique_ptr<BagRecords> bag;
    if (std::filesystem::exists(index_path)) {
        auto limits = FileWindow::open(index_path);
        if (!limits) return tl::unexpected(limits.error());
        if (limits->size() % 8 != 0) {
            return fail(
                fmt::format("{}: {} bytes are no multiple of 8", index_path, limits->size()));
        }
        const std::uint64_t end = file->size();
        bag = std::make_unique<BagInFile>(std::move(*file), std::move(*limits), end, 0);
    } else {
        auto single = open_single_bag(path, std::move(*file));
        if (!single) return tl::unexpected(single.error());
        bag = std::move(*single);
    }
    auto rows = std::make_unique<BagRows>(std::move(bag), path.ends_with(".bagz"));
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
