// The games of one block <-> its payload: separate streams of moves, scores and shapes, each
// compressed on its own. The layout is in docs/formats/store.md.
#pragma once
#include <array>
#include <vector>

#include "solis/base/bytes.h"
#include "solis/base/result.h"
#include "solis/data/labelled_game.h"
#include "solis/data/store/summary.h"

namespace solis::data {

// Limits of the format, besides those of a game. They bound what a hostile file can make a reader
// allocate.
inline constexpr std::size_t kMaxBlockPositions = std::size_t{1} << 18;
// All streams of a block before compression. A start position takes at most 40 bytes.
inline constexpr std::size_t kMaxBlockBytes = 64 * kMaxBlockPositions;

// One per kind of thing, so that equal statistics stand together. The order is part of the format.
enum class Stream : std::uint8_t {
    Games,          // result and length
    Starts,         // packed start positions
    Shapes,         // per position of the line: its branches, whether looked at twice
    BranchCounts,   // where a shape cannot say it
    LineMoves,      // numbers of the moves played
    BranchMoves,    // of first moves of branches
    ReplyMoves,     // of second moves of branches
    MateDistances,  // of every mate score
    LowBits,        // of every score difference
    SecondLooks,    // score symbols
    LineScores,     // score symbols, one stream per context
    BranchScores = LineScores + 4,
    ReplyScores = BranchScores + 4,
    Count = ReplyScores + 4
};
inline constexpr std::size_t kStreams = static_cast<std::size_t>(Stream::Count);
using Streams = std::array<Bytes, kStreams>;

class BlockEncoder {
  public:
    // Fails, without effect, on an illegal move, on branch counts that do not match the branches
    // and on games beyond the limits.
    [[nodiscard]] Result<void> add(const LabelledGame& game);
    [[nodiscard]] const StoreSummary& summary() const { return summary_; }
    // The payload of what was added; the encoder is empty afterwards.
    [[nodiscard]] Bytes finish(int zstd_level);

  private:
    Streams streams_;
    Streams scratch_;  // of the game being added
    StoreSummary summary_;
};

// Replaces `games`. Any bytes are fine as a payload: they decode or fail.
[[nodiscard]] Result<void> decode_block(ByteView payload, std::vector<LabelledGame>& games);

}  // namespace solis::data
