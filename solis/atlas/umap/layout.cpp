// The descent, one point at a time.
#include "solis/atlas/umap/layout.h"

#include <algorithm>
#include <cmath>

namespace solis::atlas {
namespace {

// Points of a task. An epoch moves every fourth block, then the next fourth and so on: the fewer
// move at once, the less they overshoot.
constexpr std::size_t kLayoutBlock = 64;
constexpr std::size_t kPhases = 4;
constexpr float kMostForce = 4;  // per direction and draw

// Numbers of a tie's strength relative to the strongest: kAlways means that it is drawn in every
// epoch.
constexpr std::uint64_t kAlways = std::uint64_t{1} << 31;

// 1 where the tie is drawn: where epoch * rate passes a multiple of kAlways. In 32 bits and without
// a branch, because every tie is asked in every epoch.
std::uint32_t is_drawn(std::uint32_t rate, std::uint32_t epoch) {
    constexpr std::uint32_t kPart = static_cast<std::uint32_t>(kAlways) - 1;
    return (((epoch * rate) & kPart) + rate) >> 31;
}

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
    x += 0x9E3779B97F4A7C15;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
    return x ^ (x >> 31);
}

// A multiplicative congruential generator: a few draws per point and epoch need no more.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(mixed(seed) | 1) {}
    [[nodiscard]] std::size_t below(std::size_t bound) {
        state_ *= 0xD1342543DE82EF95;
        return static_cast<std::size_t>(((state_ >> 32) * bound) >> 32);
    }

  private:
    std::uint64_t state_;
};

// Without a branch, unlike std::clamp as it is compiled.
float limited(float force) { return std::min(std::max(force, -kMostForce), kMostForce); }

struct Step {
    const Forces& forces;
    float rate;  // of learning

    void approach(Place& point, Place other) const {
        const float dx = point.x - other.x, dy = point.y - other.y;
        const float factor = forces.attraction(dx * dx + dy * dy);
        point.x += rate * limited(factor * dx);
        point.y += rate * limited(factor * dy);
    }
    // The force away from the other.
    [[nodiscard]] Place repulsion(Place point, Place other) const {
        const float dx = point.x - other.x, dy = point.y - other.y;
        const float factor = forces.repulsion(dx * dx + dy * dy);
        return {limited(factor * dx), limited(factor * dy)};
    }
    // How far `count` places drawn at random drive the point away, all seen from where it stands
    // now: then none of the forces waits for another. The place numbered `own` drives nobody away.
    [[nodiscard]] Place away(Place point, std::size_t own, std::span<const Place> places,
                             std::size_t count, Draws& draws) const {
        Place sum;
        for (std::size_t n = 0; n < count; ++n) {
            const std::size_t drawn = draws.below(places.size());
            const Place force = repulsion(point, places[drawn]);
            sum.x += drawn == own ? 0 : force.x;
            sum.y += drawn == own ? 0 : force.y;
        }
        return {rate * sum.x, rate * sum.y};
    }
};

class Layout {
  public:
    Layout(const FuzzySet& set, const UmapOptions& options, std::size_t epochs,
           std::vector<Place>& places)
        : set_(set),
          options_(options),
          epochs_(epochs),
          forces_(fit_curve(options.min_dist, options.spread)),
          places_(places),
          next_(places),
          rates_(set.strength.size()) {
        const float strongest = set.strength.empty() ? 1 : *std::ranges::max_element(set.strength);
        for (std::size_t i = 0; i < rates_.size(); ++i) {
            rates_[i] = static_cast<std::uint32_t>(static_cast<double>(set.strength[i]) /
                                                   static_cast<double>(strongest) *
                                                   static_cast<double>(kAlways));
        }
    }

    void run_epoch(std::size_t epoch, ThreadPool& pool) {
        const double left = 1 - static_cast<double>(epoch) / static_cast<double>(epochs_);
        const Step step{forces_, static_cast<float>(options_.learning_rate * left)};
        const std::size_t blocks = (places_.size() + kLayoutBlock - 1) / kLayoutBlock;
        const std::size_t groups = (blocks + kPhases - 1) / kPhases;
        for (std::size_t phase = 0; phase < kPhases; ++phase) {
            // Several blocks to a task, or handing out tasks would take longer than the work.
            constexpr std::size_t kBlocksPerTask = 16;
            const auto for_blocks = [&](auto&& use) {
                pool.run((groups + kBlocksPerTask - 1) / kBlocksPerTask, [&](std::size_t task) {
                    const std::size_t end = std::min(groups, (task + 1) * kBlocksPerTask);
                    for (std::size_t g = task * kBlocksPerTask; g < end; ++g) {
                        use((g * kPhases + phase) * kLayoutBlock);
                    }
                });
            };
            for_blocks([&](std::size_t first) { move_block(first, epoch, step); });
            for_blocks([&](std::size_t first) { publish_block(first); });
        }
    }

  private:
    [[nodiscard]] std::size_t block_end(std::size_t first) const {
        return std::min(first + kLayoutBlock, places_.size());
    }
    void move_block(std::size_t first, std::size_t epoch, const Step& step) {
        std::vector<std::uint32_t> drawn(64);
        for (std::size_t i = first; i < block_end(first); ++i) {
            next_[i] = moved(i, epoch, step, drawn);
        }
    }
    void publish_block(std::size_t first) {
        for (std::size_t i = first; i < block_end(first); ++i) places_[i] = next_[i];
    }

    // Numbers of the neighbours whose ties are drawn for the point in this epoch.
    [[nodiscard]] std::size_t drawn_ties(std::size_t i, std::size_t epoch,
                                         std::vector<std::uint32_t>& drawn) const {
        const std::size_t begin = set_.begin[i], count = set_.begin[i + 1] - begin;
        if (drawn.size() < count + 1) drawn.resize(count + 1);
        std::size_t found = 0;
        for (std::size_t k = 0; k < count; ++k) {
            drawn[found] = set_.column[begin + k];
            found += is_drawn(rates_[begin + k], static_cast<std::uint32_t>(epoch));
        }
        return found;
    }

    [[nodiscard]] Place moved(std::size_t i, std::size_t epoch, const Step& step,
                              std::vector<std::uint32_t>& drawn) const {
        Place point = places_[i];
        Draws draws(options_.seed.value ^ mixed(epoch << 32 ^ i));
        const std::size_t count = drawn_ties(i, epoch, drawn);
        for (std::size_t k = 0; k < count; ++k) {
            const Place away = step.away(point, i, places_, options_.negative_sample_rate, draws);
            // Each tie stands in the set twice, once from each end, and each time both ends move.
            // Here every end moves itself, so it moves twice.
            const Place other = places_[drawn[k]];
            step.approach(point, other);
            step.approach(point, other);
            point.x += away.x;
            point.y += away.y;
        }
        return point;
    }

    const FuzzySet& set_;
    const UmapOptions& options_;
    std::size_t epochs_;
    Forces forces_;
    std::vector<Place>& places_;  // as all may read them
    std::vector<Place> next_;     // as the phase under way leaves them
    std::vector<std::uint32_t> rates_;
};

}  // namespace

Result<void> lay_out(const FuzzySet& set, const UmapOptions& options, std::vector<Place>& places,
                     ThreadPool& pool, const Watch& watch) {
    const std::size_t epochs = epochs_for(options, places.size());
    Layout layout(set, options, epochs, places);
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        const double share = static_cast<double>(epoch) / static_cast<double>(epochs);
        if (auto ok = report_to(watch, "layout", share); !ok) return ok;
        layout.run_epoch(epoch, pool);
    }
    return {};
}

Place settle(std::span<const Tie> ties, std::span<const Place> map, const Forces& forces,
             const UmapOptions& options, std::size_t epochs) {
    float strongest = 0;
    double x = 0, y = 0, sum = 0;
    for (const Tie& tie : ties) {
        const auto weight = static_cast<double>(tie.strength);
        x += weight * static_cast<double>(map[tie.to].x);
        y += weight * static_cast<double>(map[tie.to].y);
        sum += weight;
        strongest = std::max(strongest, tie.strength);
    }
    if (!(sum > 0)) return ties.empty() ? Place{} : map[ties[0].to];
    Place point{static_cast<float>(x / sum), static_cast<float>(y / sum)};
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        const double left = 1 - static_cast<double>(epoch) / static_cast<double>(epochs);
        const Step step{forces, static_cast<float>(options.learning_rate / 4 * left)};
        Draws draws(options.seed.value ^ mixed(epoch));
        for (const Tie& tie : ties) {
            const auto rate =
                static_cast<std::uint32_t>(tie.strength / strongest * static_cast<float>(kAlways));
            if (is_drawn(rate, static_cast<std::uint32_t>(epoch)) == 0) continue;
            const Place away =
                step.away(point, map.size(), map, options.negative_sample_rate, draws);
            step.approach(point, map[tie.to]);
            point.x += away.x;
            point.y += away.y;
        }
    }
    return point;
}

}  // namespace solis::atlas
