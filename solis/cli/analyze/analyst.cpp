// Plans turned into what people read.
#include "solis/cli/analyze/analyst.h"

#include <fmt/format.h>

#include "solis/chess/san.h"

namespace solis::cli {

std::string Verdict::text() const {
    if (mate) return fmt::format("#{}", *mate);
    return fmt::format("{:+.2f}", centipawns / 100.0);
}

Verdict Analyst::verdict(planner::Value value, chess::Color mover) const {
    const planner::ValueScale scale = planner_.scale();
    const int sign = mover == chess::Color::White ? 1 : -1;
    const double p = scale.win_probability(value, mover);
    Verdict verdict;
    verdict.centipawns = sign * scale.centipawns(value, mover);
    verdict.win_probability = sign > 0 ? p : 1 - p;
    if (const auto mate = planner::mate_distance(value)) verdict.mate = sign * *mate;
    return verdict;
}

Analysis Analyst::analyse(const chess::Game& game) {
    const planner::Plan plan = planner_.plan(game, limits_);
    Analysis analysis;
    analysis.depth = plan.depth;
    analysis.nodes = plan.effort.nodes;
    analysis.milliseconds = plan.effort.time.count();
    for (const planner::Line& line : plan.lines) {
        analysis.lines.push_back({verdict(line.value, game.position().side_to_move()), line.moves});
    }
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

}  // namespace solis::cli
