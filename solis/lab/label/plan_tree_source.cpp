// A model that remembers what it was asked, and the plans that ask it.
#include "solis/lab/label/plan_tree_source.h"

#include <vector>

#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"
#include "solis/model/decorator.h"
#include "solis/planner/plan.h"

namespace solis::lab {
namespace {

using chess::Position;

// Keeps an even draw of everything it is shown, however much that is.
class Reservoir {
  public:
    Reservoir(std::size_t size, Seed seed) : size_(size), rng_(seed) {}

    void show(const Position& position) {
        ++shown_;
        if (kept_.size() < size_) {
            kept_.push_back(position);
        } else if (const std::uint64_t place = rng_.below(shown_); place < size_) {
            kept_[place] = position;
        }
    }
    [[nodiscard]] std::vector<Position> take() {
        shown_ = 0;
        return std::exchange(kept_, {});
    }

  private:
    std::size_t size_;
    Rng rng_;
    std::uint64_t shown_ = 0;
    std::vector<Position> kept_;
};

class WatchedEvaluator final : public model::EvaluatorDecorator {
  public:
    WatchedEvaluator(std::unique_ptr<model::Evaluator> evaluator, Reservoir& reservoir)
        : EvaluatorDecorator(std::move(evaluator)), reservoir_(reservoir) {}

    // Not the root's children, which are scored together: every game has such positions already.
    // Positions after a pass are among them; nobody would reach them, but they are legal.
    void score(std::span<const Position> positions, std::span<float> scores) override {
        for (const Position& position : positions) {
            if (chess::has_legal_move(position)) reservoir_.show(position);
        }
        EvaluatorDecorator::score(positions, scores);
    }

  private:
    Reservoir& reservoir_;
};

// For plans of one thread: all evaluators share one reservoir.
class WatchedModel final : public model::ModelDecorator {
  public:
    WatchedModel(std::shared_ptr<const model::LoadedModel> model, Reservoir& reservoir)
        : ModelDecorator(std::move(model)), reservoir_(reservoir) {}

    std::unique_ptr<model::Evaluator> make_evaluator() const override {
        return std::make_unique<WatchedEvaluator>(ModelDecorator::make_evaluator(), reservoir_);
    }

  private:
    Reservoir& reservoir_;
};

planner::Settings plan_settings() {
    planner::Settings settings;
    settings.hash_megabytes = 1;  // plans are short, and none shall know of the one before
    return settings;
}

class PlanTreeSource final : public data::GameSource {
  public:
    PlanTreeSource(std::unique_ptr<data::GameSource> games,
                   std::shared_ptr<const model::LoadedModel> model, const PlanTreeOptions& options)
        : games_(std::move(games)),
          options_(options),
          rng_(options.seed),
          reservoir_(options.per_plan, Seed{rng_.next()}),
          planner_(std::make_shared<WatchedModel>(std::move(model), reservoir_), plan_settings()) {
        static_cast<void>(reservoir_.take());  // the planner has measured the model
    }

    Result<bool> next(data::LabelledGame& game) override {
        data::LabelledGame given;
        while (waiting_.empty()) {
            const auto more = games_->next(given);
            if (!more || !*more) return more;
            plan_from(given);
        }
        game = {};
        game.start = waiting_.back();
        game.line.emplace_back();
        waiting_.pop_back();
        return true;
    }
    const data::ImportReport& report() const override { return games_->report(); }

  private:
    void plan_from(const data::LabelledGame& given) {
        if (given.line.empty()) return;
        Position root = given.start;
        const std::size_t ply = rng_.below(given.line.size());
        for (std::size_t i = 1; i <= ply; ++i) root = root.after(given.line[i].move);
        if (chess::outcome(root, chess::Claims::Ignored)) return;
        planner_.clear_hash();
        planner::Limits limits;
        limits.embeddings = options_.embeddings;
        static_cast<void>(planner_.plan(chess::Game(root), limits));
        waiting_ = reservoir_.take();
    }

    std::unique_ptr<data::GameSource> games_;
    PlanTreeOptions options_;
    Rng rng_;
    Reservoir reservoir_;
    planner::Planner planner_;
    std::vector<Position> waiting_;
};

}  // namespace

std::unique_ptr<data::GameSource> make_plan_tree_source(
    std::unique_ptr<data::GameSource> games, std::shared_ptr<const model::LoadedModel> model,
    const PlanTreeOptions& options) {
    return std::make_unique<PlanTreeSource>(std::move(games), std::move(model), options);
}

}  // namespace solis::lab
