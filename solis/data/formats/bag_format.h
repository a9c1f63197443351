// ChessBench's .bag and .bagz files: records with an index of their ends.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/byte_sink.h"
#include "solis/base/result.h"
#include "solis/data/formats/row_source.h"

namespace solis::data {

// The layout: records one after another, then for each record its end offset as u64
// little-endian. The last end is where the index begins. The index may be a file of its own,
// "limits.NAME". In .bagz each record is a zstd frame of its own.
struct BagView {
    std::string_view records;
    std::string_view limits;  // 8 bytes per record

    // Of a file with the index at its end.
    [[nodiscard]] static Result<BagView> split(std::string_view file);
    [[nodiscard]] std::size_t size() const { return limits.size() / 8; }
    // The error says that the ends do not ascend or lie outside.
    [[nodiscard]] Result<std::string_view> record(std::size_t i) const;
};

// "data@3.bag" -> "data-00000-of-00003.bag", ...; without '@' the path itself.
[[nodiscard]] Result<std::vector<std::string>> expand_shards(const std::string& path);

// One file, compressed records if its name ends in ".bagz". The index is taken from
// "limits.NAME" beside it where that exists.
[[nodiscard]] Result<RowFormat> open_bag(const std::string& path);
// The records of a bag in memory, which must outlive the reader.
[[nodiscard]] RowFormat bag_rows(BagView bag, bool compressed);

// A record, coded by Apache Beam's TupleCoder; which of ChessBench's three kinds it is follows
// from its length. state_value: FEN and the mover's win probability. action_value: FEN, a move
// and the mover's win probability after it, which becomes a labelled branch. behavioral_cloning:
// FEN and a move, which becomes a line without scores.
[[nodiscard]] Result<bool> parse_chessbench(std::string_view record, LabelledGame& game);
[[nodiscard]] std::string chessbench_state_value(const chess::Position& position, Score score);

// The win probability as other tools read it: 0 and 1 only for mates, however clear the score.
[[nodiscard]] double probability_short_of_mate(Score score);

}  // namespace solis::data
