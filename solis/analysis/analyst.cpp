// Plans turned into what people read.
#include "solis/analysis/analyst.h"

#include <condition_variable>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "solis/chess/san.h"

namespace solis::analysis {
namespace {

// How soon an analysis notices that it shall stop.
constexpr std::chrono::milliseconds kStopInterval{20};

class NobodyListens final : public planner::Observer {
    void on_info(const planner::Info&) override {}
};

}  // namespace

std::string Verdict::text() const {
    if (mate) return fmt::format("#{}", *mate);
    return fmt::format("{:+.2f}", centipawns / 100.0);
}

Verdict verdict_of(const planner::ValueScale& scale, planner::Value value, chess::Color mover) {
    const int sign = mover == chess::Color::White ? 1 : -1;
    const double p = scale.win_probability(value, mover);
    Verdict verdict;
    verdict.centipawns = sign * scale.centipawns(value, mover);
    verdict.win_probability = sign > 0 ? p : 1 - p;
    if (const auto mate = planner::mate_distance(value)) verdict.mate = sign * *mate;
    return verdict;
}

Analysis analysis_of(const planner::Plan& plan, const planner::ValueScale& scale,
                     chess::Color mover) {
    Analysis analysis;
    analysis.depth = plan.depth;
    analysis.nodes = plan.effort.nodes;
    analysis.milliseconds = plan.effort.time.count();
    for (const planner::Line& line : plan.lines) {
        analysis.lines.push_back({verdict_of(scale, line.value, mover), line.moves});
    }
    return analysis;
}

planner::Plan Analyst::plan_until_stopped(const chess::Game& game, bool& stopped) {
    planner::Signals signals;
    planner::Plan plan;
    std::mutex mutex;
    std::condition_variable finished;
    bool done = false;
    std::jthread thinker([&] {
        NobodyListens nobody;
        plan = planner_.plan(game, limits_, nobody, signals);
        const std::lock_guard lock(mutex);
        done = true;
        finished.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!finished.wait_for(lock, kStopInterval, [&] { return done; })) {
        if (stopped || !stop_requested_()) continue;
        stopped = true;
        signals.stop();
    }
    lock.unlock();
    thinker.join();
    return plan;
}

Analysis Analyst::analyse(const chess::Game& game) {
    bool stopped = false;
    const planner::Plan plan =
        stop_requested_ ? plan_until_stopped(game, stopped) : planner_.plan(game, limits_);
    Analysis analysis = analysis_of(plan, planner_.scale(), game.position().side_to_move());
    analysis.stopped = stopped;
    return analysis;
}

std::string san_line(chess::Position position, const std::vector<chess::Move>& moves) {
    std::string text;
    for (const chess::Move move : moves) {
        const bool white = position.side_to_move() == chess::Color::White;
        if (!text.empty()) text += ' ';
        if (white || text.empty()) {
            text += fmt::format("{}{} ", position.fullmove_number(), white ? "." : "...");
        }
        chess::append_san(text, position, move);
        position = position.after(move);
    }
    return text;
}

}  // namespace solis::analysis
