// Who hears of long work, and may end it.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "solis/atlas/points.h"

namespace solis::analysis {

// Either function may be empty.
struct Listener {
    // Called often, from the thread that started the work, with the name of the stage and how much
    // of it is done; `total` is 0 where nobody knows. The answer false ends the work with an error
    // for which atlas::is_interruption is true.
    std::function<bool(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress;
    // Something in the input was skipped.
    std::function<void(std::string_view message)> warn;

    [[nodiscard]] bool goes_on(std::string_view stage, std::uint64_t done,
                               std::uint64_t total) const {
        return !progress || progress(stage, done, total);
    }
    void warning(std::string_view message) const {
        if (warn) warn(message);
    }
    // The same for work that knows shares only.
    [[nodiscard]] atlas::Watch watch() const {
        return [this](std::string_view stage, double share) {
            return goes_on(stage, static_cast<std::uint64_t>(1000 * share), 1000);
        };
    }
};

}  // namespace solis::analysis
