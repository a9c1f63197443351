// metrics.jsonl: one line per stretch of training and per validation.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/train/validation.h"

namespace solis::train {

struct LossPoint {
    std::uint64_t step;
    double loss;  // mean since the point before
    double learning_rate;
    double auxiliary_loss;  // of the last step; 0 where the run has none
};
struct ValidationPoint {
    std::uint64_t step;
    ValidationReport report;
};

class MetricsLog {
  public:
    // Continues the log of a run that stands at `step`: later lines, left by a run that was killed
    // after its last checkpoint, are dropped.
    [[nodiscard]] static Result<MetricsLog> open(const std::filesystem::path& path,
                                                 std::uint64_t step);

    // An empty log, for take().
    explicit MetricsLog(std::filesystem::path path) : path_(std::move(path)) {}
    // Adds the points of the lines up to `step`, and returns these lines. The text may be anything:
    // what is no point is left out.
    std::string take(std::string_view text, std::uint64_t step);

    [[nodiscard]] Result<void> add(const LossPoint& point);
    [[nodiscard]] Result<void> add(const ValidationPoint& point);

    [[nodiscard]] const std::vector<LossPoint>& losses() const { return losses_; }
    [[nodiscard]] const std::vector<ValidationPoint>& validations() const { return validations_; }

  private:
    [[nodiscard]] Result<void> append(const std::string& line) const;

    std::filesystem::path path_;
    std::vector<LossPoint> losses_;
    std::vector<ValidationPoint> validations_;
};

// A picture of a run: loss, and held-out rank correlation and move recall, over steps.
[[nodiscard]] std::string curve_svg(const MetricsLog& log, const std::string& title);

}  // namespace solis::train
