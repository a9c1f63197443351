// Judging moves from the analyses before and after them.
#include "solis/analysis/review/review.h"

#include <algorithm>
#include <cmath>

namespace solis::analysis {

double move_accuracy(double loss) {
    const double percent = 100 * std::clamp(loss, 0.0, 1.0);
    return std::clamp(103.1668 * std::exp(-0.04354 * percent) - 3.1669, 0.0, 100.0);
}

GameReview::GameReview(chess::PgnGame game) : game_(std::move(game)), replay_(game_.start()) {}

GameReview::Seen GameReview::seen(const Analysis& analysis) const {
    Seen result;
    if (!analysis.lines.empty()) {
        const AnalysedLine& best = analysis.lines.front();
        result.p = best.verdict.win_probability;
        result.verdict = best.verdict;
        result.line = best.moves;
    } else if (const auto outcome = replay_.outcome(chess::Claims::Ignored)) {
        if (outcome->winner) result.p = *outcome->winner == chess::Color::White ? 1 : 0;
    }
    return result;
}

void GameReview::judge_pending(const Seen& now) {
    ReviewedMove move = std::move(*pending_);
    pending_.reset();
    move.p = now.p;
    move.verdict = now.verdict;
    const double change = move.p_before - move.p;
    const bool as_planned = !move.best.empty() && move.best.front() == move.move;
    const double given_away = move.mover() == chess::Color::White ? change : -change;
    // What changes after the move that was planned is the analysis, not the player.
    move.loss = as_planned ? 0 : std::max(given_away, 0.0);
    move.accuracy = move_accuracy(move.loss);
    move.judgement = judgement_of(move.loss);
    moves_.push_back(std::move(move));
}

const ReviewedMove* GameReview::add(const Analysis& analysis) {
    Seen now = seen(analysis);
    const bool first = !pending_.has_value();
    if (first) {
        p_start_ = now.p;
    } else {
        judge_pending(now);
    }
    node_ = game_.node(node_).next;
    if (node_ == chess::PgnNode::kNone) {
        done_ = true;
    } else {
        pending_ = {moves_.size() + 1, node_, replay_.position(), game_.node(node_).move};
        pending_->p_before = now.p;
        pending_->best = std::move(now.line);
        if (now.verdict) pending_->mate_before = now.verdict->mate;
        replay_.push(pending_->move);
    }
    return first ? nullptr : &moves_.back();
}

SideSummary GameReview::summary(chess::Color side) const {
    SideSummary summary;
    double sum = 0;
    for (const ReviewedMove& move : moves_) {
        if (move.mover() != side) continue;
        sum += move.accuracy;
        ++summary.moves;
        summary.inaccuracies += move.judgement == Judgement::Inaccuracy ? 1 : 0;
        summary.mistakes += move.judgement == Judgement::Mistake ? 1 : 0;
        summary.blunders += move.judgement == Judgement::Blunder ? 1 : 0;
    }
    if (summary.moves > 0) summary.accuracy = sum / static_cast<double>(summary.moves);
    return summary;
}

std::vector<KeyPoint> GameReview::key_points(std::size_t most) const {
    std::vector<const ReviewedMove*> bad;
    for (const ReviewedMove& move : moves_) {
        if (move.judgement != Judgement::Fine) bad.push_back(&move);
    }
    std::stable_sort(bad.begin(), bad.end(),
                     [](const auto* a, const auto* b) { return a->loss > b->loss; });
    if (bad.size() > most) bad.resize(most);
    std::sort(bad.begin(), bad.end(), [](const auto* a, const auto* b) { return a->ply < b->ply; });
    std::vector<KeyPoint> points;
    for (const ReviewedMove* move : bad) points.push_back({move->ply, describe(*move)});
    return points;
}

chess::PgnGame GameReview::annotated_game() const {
    std::vector<JudgedMove> judged;
    for (const ReviewedMove& move : moves_) {
        if (move.best.empty()) continue;
        judged.push_back(
            {move.node, move.before, move.move, move.best.front(), move.verdict, move.judgement});
    }
    return annotated(game_, judged);
}

}  // namespace solis::analysis
