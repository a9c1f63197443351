// Statistics of labelled games, for people who want to know what they train on.
#pragma once
#include <array>
#include <cstdint>

#include "solis/data/store/key_filter.h"
#include "solis/data/store/summary.h"

namespace solis::data {

class StoreStats {
  public:
    // Men on the board: 2-7 (tablebases), 8-15, 16-23, 24-32.
    static constexpr std::size_t kPhases = 4;
    static constexpr std::array<int, kPhases> kPhaseFrom{2, 8, 16, 24};
    // Plies of the line: 0 (isolated positions), 1-19, 20-59, 60-119, 120-199, 200 and more.
    static constexpr std::size_t kLengths = 6;
    static constexpr std::array<std::size_t, kLengths> kLengthFrom{0, 1, 20, 60, 120, 200};

    // `expected_positions` sizes the filter that finds duplicates; it takes at most 1 GB.
    explicit StoreStats(std::uint64_t expected_positions);
    void add(const LabelledGame& game);

    StoreSummary summary;
    std::array<std::uint64_t, kPhases> phases{};    // positions by men on the board
    std::array<std::uint64_t, kLengths> lengths{};  // games by plies
    std::array<std::uint64_t, 4> results{};         // games by GameResult
    std::uint64_t in_check = 0;
    std::uint64_t white_to_move = 0;
    std::uint64_t duplicates = 0;  // positions that came before, apart from the move counters
    std::uint64_t standard_starts = 0;
    std::size_t longest = 0;  // plies

  private:
    KeyFilter seen_;
};

}  // namespace solis::data
