// Playing or following one line, and choosing what to look at beside it.
#include "solis/lab/label/label_task.h"

#include <algorithm>

#include "solis/chess/random_positions.h"
#include "solis/chess/rules.h"
#include "solis/chess/uci_move.h"

namespace solis::lab {
namespace {

using chess::Color;
using chess::Move;
using chess::Position;
using data::GameResult;
using data::label_by_rules;
using data::Score;

GameResult won_by(Color color) {
    return color == Color::White ? GameResult::WhiteWins : GameResult::BlackWins;
}

}  // namespace

Score to_label(const std::optional<engine::UciScore>& score) {
    if (!score) return {};
    if (!score->is_mate) return Score::centipawns(score->value);
    return score->value > 0 ? Score::mate_in(score->value)
                            : Score::mated_in(std::abs(std::max(score->value, -Score::kMate)));
}

LabelTask::LabelTask(const SelfPlayOptions& play, const LabelOptions& options, Seed seed)
    : options_(options), play_(play), rng_(seed) {
    noise_ = play.noise.empty() ? 0 : play.noise[rng_.below(play.noise.size())];
    play_random_opening();
    enter_position();
}

LabelTask::LabelTask(const data::LabelledGame& given, const LabelOptions& options, Seed seed)
    : options_(options), rng_(seed), game_(given.start) {
    if (options.again) {
        look_again(given);
        return;
    }
    labelled_.start = given.start;
    labelled_.result = given.result;
    labelled_.line.emplace_back();
    for (std::size_t i = 1; i < given.line.size(); ++i) given_.push_back(given.line[i].move);
    enter_position();
}

void LabelTask::look_again(const data::LabelledGame& given) {
    labelled_ = given;
    Position position = given.start;
    for (std::size_t ply = 0; ply < given.line.size(); ++ply) {
        if (ply > 0) position = position.after(given.line[ply].move);
        const bool chosen = rng_.chance(options_.second_share);
        if (!chosen || given.line[ply].score.is_none() || label_by_rules(position)) continue;
        ask(position, SearchRequest::Purpose::SecondLook, ply);
    }
}

void LabelTask::play_random_opening() {
    const int spread = play_->max_opening_plies - play_->min_opening_plies + 1;
    const int plies =
        play_->min_opening_plies + static_cast<int>(rng_.below(static_cast<std::uint64_t>(spread)));
    do {
        game_ = chess::Game();
        labelled_.line.assign(1, {});
        for (int i = 0; i < plies && !game_.outcome(chess::Claims::Counted); ++i) {
            push(chess::random_move(chess::legal_moves(game_.position()), rng_));
        }
    } while (game_.outcome(chess::Claims::Counted));
}

void LabelTask::push(Move move) {
    game_.push(move);
    labelled_.line.push_back({move, {}, {}, 0});
}

void LabelTask::enter_position() {
    while (const auto score = label_by_rules(game_.position())) {
        labelled_.line.back().score = *score;
        const Move next = next_given_move();
        if (next.is_none()) return end_game();
        push(next);  // players went on after a dead draw
    }
    const std::size_t ply = labelled_.line.size() - 1;
    ask(game_.position(), SearchRequest::Purpose::Line, ply);
    if (options_.second_share > 0 && rng_.chance(options_.second_share)) {
        ask(game_.position(), SearchRequest::Purpose::SecondLook, ply);
    }
}

Result<void> LabelTask::answer(const SearchRequest& request, const engine::SearchReport& report) {
    Move best;
    if (play_ && request.purpose == SearchRequest::Purpose::Line) {
        const auto parsed = chess::parse_uci(request.position, report.best_move);
        if (!parsed) return fail_in("the engine's move", parsed.error());
        best = *parsed;
    }
    answer(request, to_label(report.score), best);
    return {};
}

void LabelTask::answer(const SearchRequest& request, Score score, Move best) {
    --unanswered_;
    ++searches_;
    if (request.purpose == SearchRequest::Purpose::Branch) {
        labelled_.branches[request.index].score = score;
        return;
    }
    if (request.purpose == SearchRequest::Purpose::SecondLook) {
        labelled_.line[request.index].second_look = score;
        return;
    }
    labelled_.line[request.index].score = score;
    if (play_) watch_for_decision(score);
    const Move played = next_move(best);
    if (played.is_none()) {
        end_game();
    } else {
        push(played);
        enter_position();
    }
    plan_branches(request.position, request.index, played);
}

Move LabelTask::next_move(Move engine_move) {
    if (!play_) return next_given_move();
    const bool is_long = static_cast<int>(game_.moves().size()) >= play_->max_plies;
    const bool is_decided = std::abs(decided_plies_) >= play_->decided_plies;
    if (is_long || is_decided || game_.outcome(chess::Claims::Counted)) return {};
    if (noise_ > 0 && rng_.chance(noise_)) {
        return chess::random_move(chess::legal_moves(game_.position()), rng_);
    }
    return engine_move;
}

Move LabelTask::next_given_move() const {
    const std::size_t played = game_.moves().size();
    return played < given_.size() ? given_[played] : Move();
}

void LabelTask::end_game() {
    if (!play_) return;  // the result is the source's
    if (const auto outcome = game_.outcome(chess::Claims::Counted)) {
        labelled_.result = outcome->winner ? won_by(*outcome->winner) : GameResult::Draw;
    } else if (std::abs(decided_plies_) >= play_->decided_plies) {
        labelled_.result = won_by(decided_plies_ > 0 ? Color::White : Color::Black);
    }
}

void LabelTask::watch_for_decision(Score score) {
    const bool white_moves = game_.position().side_to_move() == Color::White;
    const int value = score.is_none() ? 0 : (white_moves ? score : score.negated()).value();
    if (value >= play_->decided_centipawns) {
        decided_plies_ = std::max(decided_plies_, 0) + 1;
    } else if (value <= -play_->decided_centipawns) {
        decided_plies_ = std::min(decided_plies_, 0) - 1;
    } else {
        decided_plies_ = 0;
    }
}

void LabelTask::plan_branches(const Position& position, std::size_t ply, Move played) {
    for (const data::ChosenChild& child :
         data::choose_children(position, played, options_.children, rng_)) {
        const std::size_t positions = labelled_.branches.size() + labelled_.line.size();
        if (positions + given_.size() >= data::kMaxGamePositions) return;
        labelled_.branches.push_back(child.branch);
        ++labelled_.line[ply].branch_count;
        if (!child.branch.score.is_none()) continue;
        ask(child.end, SearchRequest::Purpose::Branch, labelled_.branches.size() - 1);
    }
}

void LabelTask::ask(const Position& position, SearchRequest::Purpose purpose, std::size_t index) {
    requests_.push_back({position, purpose, static_cast<std::uint32_t>(index)});
    ++unanswered_;
}

}  // namespace solis::lab
