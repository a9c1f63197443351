// Evaluation of a net of Stockfish 15.1's architecture in integers. It knows no chess: which
// inputs are active and which stack is in charge comes from the caller.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "solis/base/aligned.h"
#include "solis/nn/nnue/weights.h"

namespace solis::nn {

// One view: bias and rows of the active inputs, added up.
struct alignas(kCacheLine) NnueAccumulator {
    std::array<std::int16_t, kNnueAccumulators> sums;
    std::array<std::int32_t, kNnueStacks> psqt;
};

// Inputs that differ between two positions, for one view.
struct NnueChanges {
    static constexpr std::size_t kMost = 32;  // no position has more pieces

    std::array<std::uint16_t, kMost> added;
    std::array<std::uint16_t, kMost> removed;
    std::size_t added_count = 0;
    std::size_t removed_count = 0;

    void add(int input) { added[added_count++] = static_cast<std::uint16_t>(input); }
    void remove(int input) { removed[removed_count++] = static_cast<std::uint16_t>(input); }
};

// For the side to move. The engine's units: 361 are a pawn, or 100 centipawns.
struct NnueValue {
    std::int64_t material;    // what the piece-square sums say, times kOutputScale
    std::int64_t positional;  // what the layers say, times kOutputScale

    static constexpr std::int64_t kOutputScale = 16;
    [[nodiscard]] int total() const;
};

// Sums wrap around where a damaged net leaves their range; there is no undefined behaviour.
class NnueNet {
  public:
    explicit NnueNet(NnueWeights weights);

    [[nodiscard]] std::size_t inputs() const { return weights_.inputs; }
    [[nodiscard]] const std::string& description() const { return weights_.description; }

    // The view of an empty board.
    [[nodiscard]] const NnueAccumulator& empty() const { return empty_; }
    // to = from + added - removed. `to` may be `from`.
    void update(const NnueAccumulator& from, const NnueChanges& changes, NnueAccumulator& to) const;
    [[nodiscard]] NnueValue evaluate(const NnueAccumulator& mover, const NnueAccumulator& other,
                                     std::size_t stack) const;

  private:
    // A stack as the kernels read it: four weights of one output side by side.
    struct PackedStack {
        AlignedVector<std::int8_t> hidden_weight;  // [kNnueAccumulators / 4][kNnueHidden][4]
        AlignedVector<std::int8_t> tail_weight;    // [32 / 4][kNnueTail][4]
    };

    NnueWeights weights_;
    NnueAccumulator empty_;
    std::vector<PackedStack> packed_;
};

// The same in plain loops from the file's own layout; defines what is correct.
[[nodiscard]] NnueAccumulator nnue_sums_reference(const NnueWeights& weights,
                                                  std::span<const int> active);
[[nodiscard]] NnueValue nnue_evaluate_reference(const NnueWeights& weights,
                                                const NnueAccumulator& mover,
                                                const NnueAccumulator& other, std::size_t stack);

}  // namespace solis::nn
