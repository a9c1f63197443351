// Learning-rate schedules.
#include "solis/train/schedule.h"

#include <cmath>
#include <numbers>

namespace solis::train {

float learning_rate_at(const TrainConfig& config, std::uint64_t step, std::uint64_t steps) {
    const double done = (static_cast<double>(step) + 1) / static_cast<double>(steps);
    if (done < config.optimizer.warmup) {
        return static_cast<float>(config.optimizer.learning_rate * done / config.optimizer.warmup);
    }
    double share = 1;
    if (config.optimizer.schedule == Schedule::Cosine && config.optimizer.warmup < 1) {
        const double phase = (done - config.optimizer.warmup) / (1 - config.optimizer.warmup);
        const double wave = 0.5 * (1 + std::cos(std::numbers::pi * phase));
        share = config.optimizer.final_rate + (1 - config.optimizer.final_rate) * wave;
    } else if (config.optimizer.schedule == Schedule::Step) {
        share = done > 0.85 ? 0.01 : done > 0.6 ? 0.1 : 1.0;
    }
    return static_cast<float>(config.optimizer.learning_rate * share);
}

}  // namespace solis::train
