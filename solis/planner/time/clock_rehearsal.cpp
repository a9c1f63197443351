// Games between a planner and itself on a fake clock.
#include "solis/planner/time/clock_rehearsal.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "solis/chess/movegen.h"
#include "solis/chess/play_on.h"
#include "solis/chess/random_positions.h"
#include "solis/model/decorator.h"

namespace solis::planner {
namespace {

using chess::Color;
using chess::Position;
using Duration = FakeClock::Duration;

constexpr int kOpeningPlies = 8;
constexpr int kMostPlies = 400;

Duration up_to(Duration most, Rng& rng) {
    return Duration(
        static_cast<Duration::rep>(rng.below(static_cast<std::uint64_t>(most.count()) + 1)));
}

class TimedEvaluator final : public model::EvaluatorDecorator {
  public:
    TimedEvaluator(std::unique_ptr<model::Evaluator> inner, FakeClock& clock,
                   const FakeMachine& machine)
        : EvaluatorDecorator(std::move(inner)), clock_(clock), machine_(machine), rng_(Seed{1}) {}

    void score_children(const Position& parent, std::span<const Position> children,
                        std::span<float> scores) override {
        EvaluatorDecorator::score_children(parent, children, scores);
        pass(children.size());
    }
    void score(std::span<const Position> positions, std::span<float> scores) override {
        pass(positions.size());
        EvaluatorDecorator::score(positions, scores);
    }
    void embed(std::span<const Position> positions, std::span<float> z) override {
        pass(positions.size());
        EvaluatorDecorator::embed(positions, z);
    }

  private:
    void pass(std::size_t embeddings) {
        clock_.advance(machine_.per_embedding * static_cast<Duration::rep>(embeddings));
        if (rng_.below(machine_.stall_every) >= embeddings) return;
        clock_.advance(up_to(machine_.stall, rng_));
    }

    FakeClock& clock_;
    FakeMachine machine_;
    Rng rng_;
};

class TimedModel final : public model::ModelDecorator {
  public:
    TimedModel(std::shared_ptr<const model::LoadedModel> inner, FakeClock& clock,
               const FakeMachine& machine)
        : ModelDecorator(std::move(inner)), clock_(clock), machine_(machine) {}

    std::unique_ptr<model::Evaluator> make_evaluator() const override {
        return std::make_unique<TimedEvaluator>(ModelDecorator::make_evaluator(), clock_, machine_);
    }
    model::EncoderTraits traits() const override {
        // As many as take a millisecond.
        const auto per_look = Duration(Milliseconds(1)) / machine_.per_embedding;
        return {ModelDecorator::traits().reads_counters,
                static_cast<std::size_t>(std::max<Duration::rep>(1, per_look))};
    }

  private:
    FakeClock& clock_;
    FakeMachine machine_;
};

// Both clocks of a game.
class Clocks {
  public:
    explicit Clocks(const TimeRule& rule) : rule_(rule) {
        if (!rule.movetime) add(Color::White, rule.clock.base), add(Color::Black, rule.clock.base);
    }

    [[nodiscard]] Limits limits(Color mover) const {
        Limits limits;
        limits.movetime = rule_.movetime;
        if (rule_.movetime) return limits;
        limits.clock = ClockTime{shown(Color::White), shown(Color::Black), rule_.clock.increment,
                                 rule_.clock.increment, moves_to_go(mover)};
        return limits;
    }
    // What is left of the mover's time, less than nothing where it was too little.
    Duration take(Color mover, Duration used) {
        Side& side = sides_[static_cast<std::size_t>(mover)];
        if (rule_.movetime) {
            given_ += *rule_.movetime;
            return *rule_.movetime - used;
        }
        side.left -= used;
        const Duration after = side.left;
        add(mover, rule_.clock.increment);
        ++side.moves;
        if (rule_.clock.moves > 0 && side.moves % rule_.clock.moves == 0) {
            add(mover, rule_.clock.base);
        }
        return after;
    }
    // Of both sides so far.
    [[nodiscard]] Duration given() const { return given_; }

  private:
    struct Side {
        Duration left{0};
        int moves = 0;
    };

    void add(Color side, Duration time) {
        sides_[static_cast<std::size_t>(side)].left += time;
        given_ += time;
    }
    [[nodiscard]] Milliseconds shown(Color side) const {
        return std::chrono::floor<Milliseconds>(sides_[static_cast<std::size_t>(side)].left);
    }
    [[nodiscard]] int moves_to_go(Color mover) const {
        if (rule_.clock.moves == 0) return 0;
        return rule_.clock.moves -
               sides_[static_cast<std::size_t>(mover)].moves % rule_.clock.moves;
    }

    TimeRule rule_;
    std::array<Side, 2> sides_;
    Duration given_{0};
};

}  // namespace

std::shared_ptr<const model::LoadedModel> timed_model(
    std::shared_ptr<const model::LoadedModel> model, FakeClock& clock, const FakeMachine& machine) {
    return std::make_shared<const TimedModel>(std::move(model), clock, machine);
}

std::string to_string(const TimeRule& rule) {
    if (rule.movetime) return fmt::format("{} ms/move", rule.movetime->count());
    const std::string clock =
        fmt::format("{}+{} ms", rule.clock.base.count(), rule.clock.increment.count());
    if (rule.clock.moves == 0) return clock;
    return fmt::format("{}/{}", rule.clock.moves, clock);
}

RehearsedGame rehearse_game(Planner& planner, FakeClock& clock, const TimeRule& rule, Seed seed) {
    Rng rng(seed);
    chess::Game game = chess::random_opening(kOpeningPlies, rng);
    planner.clear_hash();
    Clocks clocks(rule);
    RehearsedGame result;
    Duration least = Duration::max(), used{0};
    const Duration margin = rule.movetime ? planner.settings().move_overhead : Milliseconds(0);
    const auto choose = [&](const chess::Game& so_far) -> std::optional<chess::Move> {
        const Color mover = so_far.position().side_to_move();
        Limits limits = clocks.limits(mover);
        // Reading the clock takes time, too, so that a plan that embeds nothing also ends.
        limits.clock_source = [&clock] {
            clock.advance(std::chrono::microseconds(2));
            return clock.now();
        };
        const Duration start = clock.now();
        const chess::Move move = planner.plan(so_far, limits).best();
        clock.advance(up_to(rule.lag, rng));
        used += clock.now() - start;
        const Duration left = clocks.take(mover, clock.now() - start);
        ++result.plies;
        least = std::min(least, left);
        result.time_loss = left < -margin;
        result.illegal_move = !chess::legal_moves(so_far.position()).contains(move);
        if (result.time_loss || result.illegal_move) return std::nullopt;
        return move;
    };
    (void)chess::play_on(game, choose,
                         [&](const chess::Game&) { return result.plies < kMostPlies; });
    result.least_left = std::chrono::duration_cast<std::chrono::microseconds>(least);
    result.share_used =
        static_cast<double>(used.count()) / static_cast<double>(clocks.given().count());
    return result;
}

}  // namespace solis::planner
