// Where labelled games go: every export format is a game sink.
#pragma once
#include <cstdint>

#include "solis/base/result.h"
#include "solis/data/labelled_game.h"

namespace solis::data {

// What an export wrote, and what its format could not hold.
struct ExportReport {
    std::uint64_t games = 0;
    std::uint64_t positions = 0;        // written
    std::uint64_t unlabelled = 0;       // positions without a score, left out
    std::uint64_t unknown_results = 0;  // written as draws, where the format must have a result
    std::uint64_t left_branches = 0;    // labelled branches left out
};

class GameSink {
  public:
    virtual ~GameSink() = default;
    [[nodiscard]] virtual Result<void> write(const LabelledGame& game) = 0;
    // Makes the output complete and visible; without it nothing stays.
    [[nodiscard]] virtual Result<void> finish() = 0;
    [[nodiscard]] virtual const ExportReport& report() const = 0;
};

}  // namespace solis::data
