// The rules of adjudication.
#include "solis/lab/match/adjudication.h"

#include <cstdlib>

namespace solis::lab {

using chess::Color;

std::optional<Verdict> Adjudicator::after_move(const chess::Position& position, Color mover,
                                               data::Score score, int ply) {
    if (const auto known = probe(position)) return known;
    // Both are asked every time: each counts moves in a row.
    const bool draw = is_agreed_draw(position, score, ply);
    if (resigns(mover, score)) return Verdict{Ending::Resignation, ~mover};
    if (draw) return Verdict{Ending::AgreedDraw, std::nullopt};
    if (options_.max_moves && ply >= 2 * *options_.max_moves) {
        return Verdict{Ending::MoveLimit, std::nullopt};
    }
    return std::nullopt;
}

bool Adjudicator::is_agreed_draw(const chess::Position& position, data::Score score, int ply) {
    if (!options_.draw) return false;
    const DrawRule& rule = *options_.draw;
    const bool drawish = !score.is_none() && std::abs(score.value()) <= rule.centipawns;
    drawish_plies_ = drawish && position.halfmove_clock() > 0 ? drawish_plies_ + 1 : 0;
    return ply >= 2 * rule.from_move && drawish_plies_ >= 2 * rule.moves;
}

bool Adjudicator::resigns(Color mover, data::Score score) {
    if (!options_.resign) return false;
    const ResignRule& rule = *options_.resign;
    int& losing = losing_[static_cast<std::size_t>(index(mover))];
    int& winning = winning_[static_cast<std::size_t>(index(mover))];
    const bool known = !score.is_none();
    losing = known && score.value() <= -rule.centipawns ? losing + 1 : 0;
    winning = known && score.value() >= rule.centipawns ? winning + 1 : 0;
    if (losing < rule.moves) return false;
    return !rule.both_agree || winning_[static_cast<std::size_t>(index(~mover))] >= rule.moves;
}

std::optional<Verdict> Adjudicator::probe(const chess::Position& position) const {
    if (tablebase_ == nullptr) return std::nullopt;
    const auto wdl = tablebase_->probe_wdl(position);
    if (!wdl) return std::nullopt;
    if (*wdl == chess::Wdl::Win) return Verdict{Ending::Tablebase, position.side_to_move()};
    if (*wdl == chess::Wdl::Loss) return Verdict{Ending::Tablebase, ~position.side_to_move()};
    return Verdict{Ending::Tablebase, std::nullopt};
}

}  // namespace solis::lab
