// Matches of an experiment, one after the other.
#pragma once
#include <chrono>
#include <optional>
#include <vector>

#include "solis/base/console.h"
#include "solis/base/interrupt.h"
#include "solis/lab/paper/protocol.h"

namespace solis::cli {

// A limit on the time is shared fairly among the matches to come.
class PaperExperiment {
  public:
    // `minutes` 0: as long as it takes.
    PaperExperiment(lab::ProtocolOptions protocol, double minutes, Console& console);

    [[nodiscard]] bool interrupted() { return interrupt_.requested(); }

    // `left`: matches that are still to come, this one included.
    [[nodiscard]] Result<std::vector<lab::GameRecord>> play(const lab::ProtocolMatch& match,
                                                            std::size_t left);

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] std::optional<Clock::time_point> deadline(std::size_t left) const;

    lab::ProtocolOptions protocol_;
    Console& console_;
    InterruptWatch interrupt_;
    std::optional<Clock::time_point> end_;
};

}  // namespace solis::cli
