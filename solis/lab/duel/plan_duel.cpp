// Random openings, games without a clock of their own.
#include "solis/lab/duel/plan_duel.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "solis/base/rng.h"
#include "solis/chess/play_on.h"
#include "solis/chess/random_positions.h"
#include "solis/lab/match/adjudication.h"

namespace solis::lab {
namespace {

// Plies of random moves that a pair of games begins with, and how far from equal (in win
// probability) the side to move may then be.
constexpr int kOpeningPlies = 8;
constexpr double kBalance = 0.12;
// A game that lasts this long is a draw; the moves of the opening count.
constexpr int kMostMoves = 124;
// Each side seeing the game decided in so many of its moves in a row ends it: 863 centipawns are a
// win probability of 0.96.
constexpr ResignRule kAgreedLoss{.moves = 3, .centipawns = 863, .both_agree = true};

}  // namespace

Result<planner::Settings> duel_settings(const std::vector<std::string>& changes) {
    planner::Settings settings;
    settings.hash_megabytes = 16;
    for (const std::string& change : changes) {
        const std::size_t equals = change.find('=');
        const std::string name = change.substr(0, equals);
        const std::string value = equals == std::string::npos ? "0" : change.substr(equals + 1);
        if (name == "plan") {
            const auto kind = planner::plan_kind_from(value);
            if (!kind) return fail(fmt::format("no plan is called '{}'", value));
            settings.kind = *kind;
            continue;
        }
        int number = 0;
        const char* const end = value.data() + value.size();
        if (const auto read = std::from_chars(value.data(), end, number);
            read.ec != std::errc() || read.ptr != end) {
            return fail(fmt::format("'{}' is not a whole number in '{}'", value, change),
                        "write NAME=NUMBER, for example null-move=0");
        }
        if (name == "width") {
            settings.width = number;
        } else if (name == "plies") {
            settings.plies = number;
        } else if (name == "threads") {
            settings.threads = number;
        } else if (name == "elo") {
            settings.elo = number;
        } else if (!planner::set_feature(settings.deep, name, number)) {
            return fail(fmt::format("no feature is called '{}'", name));
        }
    }
    return settings;
}

PlanDuel::PlanDuel(const DuelSide& a, const DuelSide& b, std::uint64_t seed)
    : a_{planner::Planner(a.model, a.settings), a.limits},
      b_{planner::Planner(b.model, b.settings), b.limits},
      seed_(seed) {}

double PlanDuel::play_pair(std::uint64_t number) {
    const chess::Game opening = make_opening(number);
    return play(opening, true) + play(opening, false);
}

chess::Game PlanDuel::make_opening(std::uint64_t number) {
    Rng rng(Seed{seed_ * 1'000'003 + number});
    planner::Limits shallow;
    shallow.embeddings = 4000;
    for (;;) {
        chess::Game game = chess::random_opening(kOpeningPlies, rng);
        a_.planner.clear_hash();
        const planner::Plan plan = a_.planner.plan(game, shallow);
        const double p = a_.planner.scale().win_probability(plan.lines.front().value,
                                                            game.position().side_to_move());
        if (std::abs(p - 0.5) < kBalance) return game;
    }
}

double PlanDuel::play(chess::Game game, bool a_is_white) {
    a_.planner.clear_hash();
    b_.planner.clear_hash();
    Adjudicator adjudicator({.draw = {}, .resign = kAgreedLoss, .max_moves = kMostMoves}, nullptr);
    data::Score last_score;
    std::optional<Verdict> verdict;
    const auto choose = [&](const chess::Game& so_far) -> std::optional<chess::Move> {
        const chess::Color mover = so_far.position().side_to_move();
        Player& player = (mover == chess::Color::White) == a_is_white ? a_ : b_;
        const planner::Plan plan = player.planner.plan(so_far, player.limits);
        last_score = data::Score::centipawns(
            player.planner.scale().centipawns(plan.lines.front().value, mover));
        return plan.best();
    };
    const auto goes_on = [&](const chess::Game& so_far) {
        const chess::Position& position = so_far.position();
        verdict = adjudicator.after_move(position, ~position.side_to_move(), last_score,
                                         static_cast<int>(so_far.moves().size()));
        return !verdict;
    };
    const auto end = chess::play_on(game, choose, goes_on);
    const std::optional<chess::Color> winner = end ? end->winner : verdict->winner;
    if (!winner) return 0.5;
    return (*winner == chess::Color::White) == a_is_white ? 1 : 0;
}

}  // namespace solis::lab
