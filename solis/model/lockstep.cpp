// Evaluators that wait for the slowest.
#include "solis/model/lockstep.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>

#include "solis/model/decorator.h"

namespace solis::model {
namespace {

constexpr std::uint64_t kAhead = 384;
// Who waits for a thread that has ended gives up after this.
constexpr std::chrono::milliseconds kPatience{50};

// How far the evaluators of one plan have come.
class Lockstep {
  public:
    using Member = std::list<std::uint64_t>::iterator;

    [[nodiscard]] Member enter() {
        const std::lock_guard lock(mutex_);
        return counts_.insert(counts_.end(), 0);
    }
    void leave(Member member) {
        const std::lock_guard lock(mutex_);
        counts_.erase(member);
        changed_.notify_all();
    }
    void advance(Member member, std::uint64_t embedded) {
        std::unique_lock lock(mutex_);
        *member += embedded;
        changed_.notify_all();
        changed_.wait_for(lock, kPatience, [&] {
            return *member <= *std::min_element(counts_.begin(), counts_.end()) + kAhead;
        });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<std::uint64_t> counts_;
};

class LockstepEvaluator final : public EvaluatorDecorator {
  public:
    LockstepEvaluator(std::unique_ptr<Evaluator> inner, std::shared_ptr<Lockstep> lockstep)
        : EvaluatorDecorator(std::move(inner)),
          lockstep_(std::move(lockstep)),
          member_(lockstep_->enter()) {}
    ~LockstepEvaluator() override { lockstep_->leave(member_); }

    void score_children(const chess::Position& parent, std::span<const chess::Position> children,
                        std::span<float> scores) override {
        EvaluatorDecorator::score_children(parent, children, scores);
        lockstep_->advance(member_, children.size());
    }
    void score(std::span<const chess::Position> positions, std::span<float> scores) override {
        lockstep_->advance(member_, positions.size());
        EvaluatorDecorator::score(positions, scores);
    }

  private:
    std::shared_ptr<Lockstep> lockstep_;
    Lockstep::Member member_;
};

class LockstepModel final : public ModelDecorator {
  public:
    explicit LockstepModel(std::shared_ptr<const LoadedModel> inner)
        : ModelDecorator(std::move(inner)), lockstep_(std::make_shared<Lockstep>()) {}

    std::unique_ptr<Evaluator> make_evaluator() const override {
        return std::make_unique<LockstepEvaluator>(ModelDecorator::make_evaluator(), lockstep_);
    }

  private:
    std::shared_ptr<Lockstep> lockstep_;
};

}  // namespace

std::shared_ptr<const LoadedModel> lockstep_model(std::shared_ptr<const LoadedModel> model) {
    return std::make_shared<const LockstepModel>(std::move(model));
}

}  // namespace solis::model
