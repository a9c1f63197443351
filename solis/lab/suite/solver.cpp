// Solving problems, several at once.
#include "solis/lab/suite/solver.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stop_token>
#include <thread>

#include <fmt/format.h>

#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"
#include "solis/engine/words.h"

namespace solis::lab {
namespace {

using chess::Move;
using chess::Position;

constexpr std::chrono::milliseconds kSolverInterval{50};

bool contains(const std::vector<Move>& moves, Move move) {
    return std::find(moves.begin(), moves.end(), move) != moves.end();
}

bool is_checkmate(const Position& position) {
    return position.in_check() && !chess::has_legal_move(position);
}

// Whether the moves in `pv` end in mate after at most `plies`.
bool line_mates(Position position, std::string_view pv, int plies) {
    for (int ply = 0; ply < plies; ++ply) {
        const auto move = chess::parse_uci(position, engine::next_word(pv));
        if (!move) return false;
        position = position.after(*move);
        if (is_checkmate(position)) return true;
    }
    return false;
}

// One problem on one engine.
class Solver {
  public:
    Solver(const Problem& problem, engine::UciClient& client, const planner::Limits& limits,
           std::chrono::milliseconds timeout)
        : problem_(problem), client_(client), limits_(limits), timeout_(timeout) {}

    Result<Attempt> run() {
        if (auto ready = client_.new_game(); !ready) return tl::unexpected(ready.error());
        const auto began = engine::Clock::now();
        const Result<void> done =
            problem_.kind == ProblemKind::Puzzle ? play_line() : answer_once();
        if (!done) return tl::unexpected(done.error());
        attempt_.seconds = std::chrono::duration<double>(engine::Clock::now() - began).count();
        attempt_.solved = attempt_.points >= problem_.max_points();
        return attempt_;
    }

  private:
    // The engine's move after `moves`; none where it is illegal.
    Result<Move> ask(std::span<const Move> moves, const Position& position) {
        const auto listen = [&](const engine::SearchInfo& info) {
            const bool exact = info.score && info.score->bound == engine::ScoreBound::Exact;
            if (info.multipv == 1 && exact && !info.pv.empty()) last_pv_ = info.pv;
        };
        client_.position(problem_.position, moves);
        client_.go(limits_);
        const auto report = client_.wait_bestmove(timeout_, listen);
        if (!report) return tl::unexpected(report.error());
        attempt_.nodes += report->nodes;
        attempt_.played = report->best_move;
        last_score_ = report->score;
        return chess::parse_uci(position, report->best_move).value_or(Move());
    }

    Result<void> answer_once() {
        const auto move = ask({}, problem_.position);
        if (!move) return tl::unexpected(move.error());
        if (move->is_none()) return {};
        if (problem_.kind == ProblemKind::Points) {
            for (const auto& [scored, points] : problem_.points) {
                if (scored == *move) attempt_.points = points;
            }
        } else if (problem_.kind == ProblemKind::Mate) {
            judge_mate();
        } else {
            const bool good = problem_.best.empty() || contains(problem_.best, *move);
            attempt_.points = good && !contains(problem_.avoid, *move) ? 1 : 0;
        }
        return {};
    }

    // Mates and defences alike: the distance has the right sign and is not longer.
    void judge_mate() {
        const int wanted = problem_.mate_in;
        const int said = last_score_ && last_score_->is_mate ? last_score_->value : 0;
        const bool found = wanted > 0 ? said > 0 && said <= wanted : said < 0 && said >= wanted;
        attempt_.points = found ? 1 : 0;
        const int plies = wanted > 0 ? 2 * wanted - 1 : -2 * wanted;
        attempt_.proved = found && line_mates(problem_.position, last_pv_, plies);
    }

    // The odd moves of the line are the solver's. Another move that mates at once is as good.
    Result<void> play_line() {
        const std::vector<Move>& line = problem_.line;
        Position position = problem_.position;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (i % 2 == 1) {
                const auto move = ask(std::span(line).first(i), position);
                if (!move) return tl::unexpected(move.error());
                if (*move != line[i]) {
                    const bool mates = !move->is_none() && is_checkmate(position.after(*move));
                    attempt_.points = mates ? 1 : 0;
                    return {};
                }
            }
            position = position.after(line[i]);
        }
        attempt_.points = 1;
        return {};
    }

    const Problem& problem_;
    engine::UciClient& client_;
    const planner::Limits& limits_;
    std::chrono::milliseconds timeout_;
    Attempt attempt_;
    std::string last_pv_;
    std::optional<engine::UciScore> last_score_;
};

planner::Limits limits_of(const ThinkLimits& think) {
    planner::Limits limits;
    limits.nodes = think.nodes;
    limits.depth = think.depth;
    limits.movetime = think.movetime;
    return limits;
}

class Team {
  public:
    Team(const Suite& suite, const PlayerSpec& player, const engine::EngineSpec& engine,
         const SolveOptions& options)
        : suite_(suite),
          engine_(engine),
          limits_(limits_of(player.limits)),
          timeout_(options.search_timeout +
                   limits_.movetime.value_or(std::chrono::milliseconds(0))),
          attempts_(suite.problems.size()),
          working_(options.processes) {}

    Result<std::vector<Attempt>> run(const SolveHooks& hooks) {
        std::vector<std::jthread> threads;
        const int processes = working_;
        for (int i = 0; i < processes; ++i) threads.emplace_back([this] { work(); });
        bool interrupted = false;
        while (working_ > 0 && !interrupted) {
            hooks.progress(done_);
            interrupted = hooks.interrupted();
            std::this_thread::sleep_for(kSolverInterval);
        }
        stop_.request_stop();
        threads.clear();  // joins
        if (error_) return tl::unexpected(*error_);
        return std::move(attempts_);
    }

  private:
    void work() {
        std::optional<engine::UciClient> client;
        while (!stop_.stop_requested()) {
            const std::size_t i = next_++;
            if (i >= suite_.problems.size()) break;
            if (!client && !start(client)) break;
            auto attempt = solve(suite_.problems[i], *client, limits_, timeout_);
            if (attempt) {
                attempts_[i] = std::move(*attempt);
            } else if (stop_.stop_requested()) {
                break;  // not the engine's fault
            } else {
                attempts_[i].fault = attempt.error().message;
                client.reset();
            }
            attempts_[i].made = true;
            ++done_;
        }
        client.reset();
        --working_;
    }

    // An engine that cannot be started ends the run.
    bool start(std::optional<engine::UciClient>& client) {
        auto started = engine::UciClient::start(engine_);
        if (started) {
            client.emplace(std::move(*started));
            client->stop_waiting_on(stop_.get_token());
            return true;
        }
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = started.error();
        stop_.request_stop();
        return false;
    }

    const Suite& suite_;
    const engine::EngineSpec& engine_;
    planner::Limits limits_;
    std::chrono::milliseconds timeout_;
    std::vector<Attempt> attempts_;  // each written by the one thread that claimed it
    std::stop_source stop_;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::size_t> done_{0};
    std::atomic<int> working_;
    std::mutex mutex_;
    std::optional<Error> error_;
};

}  // namespace

Result<Attempt> solve(const Problem& problem, engine::UciClient& client,
                      const planner::Limits& limits, std::chrono::milliseconds timeout) {
    return Solver(problem, client, limits, timeout).run();
}

Result<std::vector<Attempt>> solve_all(const Suite& suite, const PlayerSpec& player,
                                       const engine::EngineSpec& engine,
                                       const SolveOptions& options, const SolveHooks& hooks) {
    if (player.limits.clock) {
        return fail(fmt::format("'{}': a clock is no limit for single positions", player.name),
                    "give st, nodes or depth");
    }
    if (!player.limits.any()) {
        return fail(fmt::format("engine '{}' may think for ever", player.name),
                    "give st, nodes or depth");
    }
    return Team(suite, player, engine, options).run(hooks);
}

}  // namespace solis::lab
