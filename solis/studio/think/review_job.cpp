// Position by position.
#include "solis/studio/think/review_job.h"

#include <algorithm>

#include "solis/analysis/review/review.h"
#include "solis/chess/pgn/writer.h"
#include "solis/chess/san.h"
#include "solis/studio/api/position.h"
#include "solis/studio/think/plan_job.h"

namespace solis::studio {
namespace {

using analysis::GameReview;
using analysis::Judgement;
using analysis::ReviewedMove;

constexpr planner::Milliseconds kLongestReviewedMove{10'000};
constexpr std::size_t kMostMoments = 12;

class NobodyHears final : public planner::Observer {
    void on_info(const planner::Info&) override {}
};

Json judgement_json(Judgement judgement) {
    return judgement == Judgement::Fine ? Json() : Json(analysis::name_of(judgement));
}

Json best_json(const ReviewedMove& move, const Notation& notation) {
    if (move.best.empty()) return nullptr;
    Json json = notation.move(move.before, move.best.front());
    json["p"] = rounded(move.p_before);
    Json line = Json::array();
    chess::Position position = move.before;
    for (const chess::Move next : move.best) {
        line.push_back(chess::to_san(position, next));
        position = position.after(next);
    }
    json["line"] = std::move(line);
    return json;
}

// White's win probability by the embedding alone.
double latent_p(const StudioModel& model, const chess::Position& position) {
    ThreadPool pool(1);
    const std::vector<float> z = model.space.embed({&position, 1}, pool);
    return model.space.win_probabilities(z, {&position, 1}, pool).front();
}

Json ply_json(const ReviewedMove& move, std::size_t total, const StudioModel& model,
              const Notation& notation) {
    const chess::Position after = move.before.after(move.move);
    Json json{{"ply", move.ply}, {"total", total}};
    json.update(notation.move(move.before, move.move));
    json["fen"] = notation.fen(after);
    json["p"] = rounded(move.p);
    json["p_before"] = rounded(move.p_before);
    json["latent"] = rounded(latent_p(model, after));
    json["cp"] = move.verdict ? Json(move.verdict->centipawns) : Json();
    if (move.verdict && move.verdict->mate) json["mate"] = *move.verdict->mate;
    json["best"] = best_json(move, notation);
    json["loss"] = rounded(move.loss);
    json["accuracy"] = rounded(move.accuracy);
    json["judgement"] = judgement_json(move.judgement);
    return json;
}

Json side_json(const analysis::SideSummary& side) {
    return {{"inaccuracy", side.inaccuracies},
            {"mistake", side.mistakes},
            {"blunder", side.blunders},
            {"moves", side.moves}};
}

Json moments_json(const GameReview& review) {
    Json moments = Json::array();
    for (const analysis::KeyPoint& point : review.key_points(kMostMoments)) {
        const ReviewedMove& move = review.moves()[point.ply - 1];
        const bool has_better = !move.best.empty() && move.best.front() != move.move;
        moments.push_back(
            {{"ply", point.ply},
             {"san", chess::to_san(move.before, move.move)},
             {"p_before", rounded(move.p_before)},
             {"p", rounded(move.p)},
             {"judgement", judgement_json(move.judgement)},
             {"better", has_better ? Json(chess::to_san(move.before, move.best.front())) : Json()},
             {"text", point.text}});
    }
    return moments;
}

Json done_json(const GameReview& review, const std::string& id, std::string_view reason,
               Json plies) {
    const auto white = review.summary(chess::Color::White);
    const auto black = review.summary(chess::Color::Black);
    return {{"id", id},
            {"reason", reason},
            {"p_start", rounded(review.p_start())},
            {"accuracy", {{"white", rounded(white.accuracy)}, {"black", rounded(black.accuracy)}}},
            {"counts", {{"white", side_json(white)}, {"black", side_json(black)}}},
            {"moments", moments_json(review)},
            {"plies", std::move(plies)},
            {"pgn", chess::to_pgn(review.annotated_game())}};
}

}  // namespace

void bound_review(ReviewRequest& request) {
    planner::Limits& limits = request.limits;
    limits.infinite = false;
    limits.clock.reset();
    limits.movetime =
        std::min(limits.movetime.value_or(kLongestReviewedMove), kLongestReviewedMove);
    request.settings.multipv = 1;
    request.settings.elo.reset();
}

void run_review_job(Job& job, ClientSession& session, const ReviewRequest& request,
                    ReviewShelf& shelf) {
    const auto lock = session.lock();
    const auto threads = static_cast<std::size_t>(request.settings.threads);
    const Notation notation{request.game.tag("Variant") == "Chess960"};
    GameReview review(request.game);
    Json plies = Json::array();
    bool has_threads = job.enter(threads);
    while (has_threads && review.next() != nullptr) {
        planner::Planner& planner = session.planner(*request.model, request.settings);
        NobodyHears nobody;
        const chess::Game& game = *review.next();
        const planner::Plan plan = job.think(planner, game, request.limits, nobody, false);
        if (job.is_cancelled()) break;
        const auto analysis =
            analysis::analysis_of(plan, planner.scale(), game.position().side_to_move());
        if (const ReviewedMove* move = review.add(analysis)) {
            plies.push_back(ply_json(*move, review.plies(), *request.model, notation));
            job.feed().put_event("ply", json_text(plies.back()));
        }
        if (!job.is_asked_to_leave()) continue;
        job.leave();
        has_threads = job.enter(threads);
    }
    if (has_threads) job.leave();
    const std::string_view reason =
        review.next() == nullptr ? std::string_view("finished") : name_of(job.stop_reason());
    std::string done = json_text(done_json(review, job.id(), reason, std::move(plies)));
    if (job.stop_reason() != StopReason::ClientGone) {
        shelf.keep(std::make_shared<const KeptReview>(
            KeptReview{job.id(), std::move(review), request.model->id, done}));
    }
    job.feed().put_event("done", std::move(done));
}

}  // namespace solis::studio
