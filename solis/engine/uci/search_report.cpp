// Plans as UCI text.
#include "solis/engine/uci/search_report.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "solis/chess/movegen.h"

namespace solis::engine {
namespace {

using planner::Value;
using planner::ValueScale;

// Expected result from -1 (lost) to 1 (won).
double expectation(Value value, const ValueScale& scale, chess::Color mover) {
    return 2 * scale.win_probability(value, mover) - 1;
}

std::uint64_t per_second(std::uint64_t count, planner::Milliseconds time) {
    return count * 1000 / static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 1));
}

std::string statistics_line(std::string_view name, std::size_t number,
                            const planner::RootStatistics& move, const ValueScale& scale,
                            chess::Color mover) {
    const planner::WinDrawLoss wdl = scale.win_draw_loss(move.value, mover);
    const double q = expectation(move.value, scale, mover);
    return fmt::format(
        "info string {:<5} ({:<4}) N: {:7} (+ 0) (P: {:5.2f}%) (WL: {:8.5f}) (D: {:5.3f}) "
        "(M:  0.0) (Q: {:8.5f}) (U: 0.00000) (S: {:8.5f}) (V: {:7.4f})",
        name, number, move.nodes, 100 * move.prior, wdl.win - wdl.loss, wdl.draw, q, q,
        expectation(move.latent, scale, mover));
}

}  // namespace

std::string score_text(const planner::Line& line, const ValueScale& scale, chess::Color mover) {
    const auto mate = planner::mate_distance(line.value);
    std::string text = mate ? fmt::format("mate {}", *mate)
                            : fmt::format("cp {}", scale.centipawns(line.value, mover));
    if (line.bound == planner::Bound::Lower) text += " lowerbound";
    if (line.bound == planner::Bound::Upper) text += " upperbound";
    return text;
}

std::string wdl_text(Value value, const ValueScale& scale, chess::Color mover) {
    const planner::WinDrawLoss wdl = scale.win_draw_loss(value, mover);
    const long win = std::lround(1000 * wdl.win);
    const long loss = std::min(std::lround(1000 * wdl.loss), 1000 - win);
    return fmt::format("{} {} {}", win, 1000 - win - loss, loss);
}

std::string moves_text(const chess::Position& position, std::span<const chess::Move> moves,
                       chess::CastlingNotation castling) {
    std::string text;
    chess::Position at = position;
    for (const chess::Move move : moves) {
        if (!chess::legal_moves(at).contains(move)) break;
        if (!text.empty()) text += ' ';
        text += chess::to_uci(at, move, castling);
        at = at.after(move);
    }
    return text;
}

std::string info_line(const planner::Info& info, const chess::Position& root,
                      const ValueScale& scale, const ReportStyle& style) {
    const chess::Color mover = root.side_to_move();
    const planner::Effort& effort = info.effort;
    const int depth = std::max(info.line.depth, 1);  // 0 says that the game is over
    std::string line = fmt::format("info depth {} seldepth {} multipv {} score {}", depth,
                                   std::max(info.line.selective_depth, depth), info.multipv,
                                   score_text(info.line, scale, mover));
    if (style.show_wdl) line += " wdl " + wdl_text(info.line.value, scale, mover);
    fmt::format_to(std::back_inserter(line), " nodes {} nps {} hashfull {} tbhits {} time {} pv {}",
                   effort.nodes, per_second(effort.nodes, effort.time), effort.hash_permille,
                   effort.tablebase_hits, effort.time.count(),
                   moves_text(root, info.line.moves, style.castling));
    return line;
}

std::string finished_line(const chess::Position& root, const ReportStyle& style) {
    const bool mated = root.in_check();
    std::string line = mated ? "info depth 0 score mate 0" : "info depth 0 score cp 0";
    if (style.show_wdl) line += mated ? " wdl 0 0 1000" : " wdl 0 1000 0";
    return line;
}

std::string bestmove_line(const planner::Plan& plan, const chess::Position& root,
                          const ReportStyle& style) {
    const chess::Move best = plan.best();
    if (best.is_none()) return "bestmove (none)";
    std::string line = "bestmove " + chess::to_uci(root, best, style.castling);
    const chess::Position next = root.after(best);
    const chess::Move answer = plan.ponder();
    if (!answer.is_none() && chess::legal_moves(next).contains(answer)) {
        line += " ponder " + chess::to_uci(next, answer, style.castling);
    }
    return line;
}

std::string move_statistics(const planner::Plan& plan, const chess::Position& root,
                            const ValueScale& scale, const ReportStyle& style) {
    std::vector<planner::RootStatistics> moves = plan.root;
    std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) {
        return std::pair(a.nodes, a.value) < std::pair(b.nodes, b.value);
    });
    const chess::Color mover = root.side_to_move();
    std::string text;
    std::uint64_t nodes = 0;
    for (const planner::RootStatistics& move : moves) {
        nodes += move.nodes;
        text += statistics_line(chess::to_uci(root, move.move, style.castling), move.move.bits(),
                                move, scale, mover);
        text += '\n';
    }
    planner::RootStatistics all;
    all.nodes = nodes;
    all.value = plan.lines.empty() ? scale.draw(mover) : plan.lines.front().value;
    all.latent = all.value;
    all.prior = 1;
    return text + statistics_line("node", moves.size(), all, scale, mover);
}

}  // namespace solis::engine
