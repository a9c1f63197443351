// What the engine says about a plan: info lines, move statistics, bestmove.
#pragma once
#include <span>
#include <string>

#include "solis/chess/position.h"
#include "solis/chess/uci_move.h"
#include "solis/planner/plan.h"

namespace solis::engine {

// How to write things down for the client of the moment.
struct ReportStyle {
    bool show_wdl = false;
    chess::CastlingNotation castling = chess::CastlingNotation::Automatic;
};

// "cp 31", "mate -2", with "lowerbound" or "upperbound" behind. `mover` is to move.
[[nodiscard]] std::string score_text(const planner::Line& line, const planner::ValueScale& scale,
                                     chess::Color mover);
// "512 301 187": win, draw and loss of the mover in thousandths, 1000 in all.
[[nodiscard]] std::string wdl_text(planner::Value value, const planner::ValueScale& scale,
                                   chess::Color mover);
// Moves one after the other, up to the first that is not legal.
[[nodiscard]] std::string moves_text(const chess::Position& position,
                                     std::span<const chess::Move> moves,
                                     chess::CastlingNotation castling);

[[nodiscard]] std::string info_line(const planner::Info& info, const chess::Position& root,
                                    const planner::ValueScale& scale, const ReportStyle& style);
// For a root without a legal move: "info depth 0 score mate 0" or "... cp 0".
[[nodiscard]] std::string finished_line(const chess::Position& root, const ReportStyle& style);
// "bestmove e2e4 ponder e7e5".
[[nodiscard]] std::string bestmove_line(const planner::Plan& plan, const chess::Position& root,
                                        const ReportStyle& style);

// One line for each root move, worst first, and one for all, in the format of lc0's
// VerboseMoveStats, which GUIs like Nibbler read. Q and V are expected results from -1 to 1, of
// the plan and of the latent score alone; P is the prior.
[[nodiscard]] std::string move_statistics(const planner::Plan& plan, const chess::Position& root,
                                          const planner::ValueScale& scale,
                                          const ReportStyle& style);

}  // namespace solis::engine
