// The part of "bench label" that measures the teacher inside this process.
#pragma once
#include <vector>

#include "solis/base/result.h"
#include "solis/cli/label/options.h"
#include "solis/data/labelled_game.h"

namespace solis::cli {

struct TeacherRate {
    std::uint64_t labels = 0;
    std::uint64_t nodes = 0;
    double cpu_seconds = 0;  // of all threads

    [[nodiscard]] double labels_per_cpu_second() const {
        return static_cast<double>(labels) / cpu_seconds;
    }
};

// Labels the games over and over for `seconds` and adds to `total`. Fails where there is no game.
[[nodiscard]] Result<void> measure_teacher(const lab::LabelRun& run,
                                           const std::vector<data::LabelledGame>& games,
                                           double seconds, TeacherRate& total);

}  // namespace solis::cli
