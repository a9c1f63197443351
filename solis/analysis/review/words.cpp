// Moments of a game in words.
#include <cmath>

#include <fmt/format.h>

#include "solis/analysis/review/review.h"
#include "solis/chess/san.h"

namespace solis::analysis {
namespace {

using chess::Color;

const char* color_name(Color color) { return color == Color::White ? "White" : "Black"; }

// How a game stands, seen from outside: "White is winning (96 %)".
std::string standing(double p) {
    const Color side = p >= 0.5 ? Color::White : Color::Black;
    const double share = side == Color::White ? p : 1 - p;
    const int percent = static_cast<int>(std::lround(100 * p));
    if (share < 0.57) return fmt::format("the game is even ({} %)", percent);
    const char* how = share >= 0.93   ? "is winning"
                      : share >= 0.75 ? "is clearly better"
                                      : "is slightly better";
    return fmt::format("{} {} ({} %)", color_name(side), how, percent);
}

}  // namespace

std::string numbered_move(const ReviewedMove& move) {
    const bool white = move.mover() == Color::White;
    return fmt::format("{}{} {}{}", move.before.fullmove_number(), white ? "." : "...",
                       chess::to_san(move.before, move.move), mark_of(move.judgement));
}

std::string describe(const ReviewedMove& move) {
    const bool white = move.mover() == Color::White;
    // Positive: the side that moves mates.
    const auto for_mover = [white](const std::optional<int>& mate) {
        return mate ? (white ? *mate : -*mate) : 0;
    };
    const int could_mate = for_mover(move.mate_before);
    const int is_mated = move.verdict ? -for_mover(move.verdict->mate) : 0;
    std::string text = numbered_move(move);
    if (could_mate > 0) {
        text += fmt::format(" misses a mate in {}; now {}.", could_mate, standing(move.p));
    } else if (is_mated > 0) {
        text += fmt::format(" allows a mate in {}; before, {}.", is_mated, standing(move.p_before));
    } else {
        text += fmt::format(" costs {:.0f} %: before, {}; now {}.", 100 * move.loss,
                            standing(move.p_before), standing(move.p));
    }
    if (!move.best.empty() && move.best.front() != move.move) {
        text += fmt::format(" Better was {}.", chess::to_san(move.before, move.best.front()));
    }
    return text;
}

}  // namespace solis::analysis
