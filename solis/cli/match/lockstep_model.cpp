// Seats that wait for the slowest.
#include "solis/cli/match/lockstep_model.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <list>
#include <mutex>

namespace solis::cli {
namespace {

constexpr std::uint64_t kAhead = 384;
// Who waits for a thread that has ended gives up after this.
constexpr std::chrono::milliseconds kPatience{50};

// How far the evaluators of one plan have come.
class Lockstep {
  public:
    using Seat = std::list<std::uint64_t>::iterator;

    [[nodiscard]] Seat enter() {
        const std::lock_guard lock(mutex_);
        return counts_.insert(counts_.end(), 0);
    }
    void leave(Seat seat) {
        const std::lock_guard lock(mutex_);
        counts_.erase(seat);
        changed_.notify_all();
    }
    void advance(Seat seat, std::uint64_t embedded) {
        std::unique_lock lock(mutex_);
        *seat += embedded;
        changed_.notify_all();
        changed_.wait_for(lock, kPatience, [&] {
            return *seat <= *std::min_element(counts_.begin(), counts_.end()) + kAhead;
        });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<std::uint64_t> counts_;
};

class LockstepEvaluator final : public model::Evaluator {
  public:
    LockstepEvaluator(std::unique_ptr<model::Evaluator> inner, std::shared_ptr<Lockstep> lockstep)
        : inner_(std::move(inner)), lockstep_(std::move(lockstep)), seat_(lockstep_->enter()) {}
    ~LockstepEvaluator() override { lockstep_->leave(seat_); }

    void score_children(const chess::Position& parent, std::span<const chess::Position> children,
                        std::span<float> scores) override {
        inner_->score_children(parent, children, scores);
        lockstep_->advance(seat_, children.size());
    }
    float score(const chess::Position& position) override {
        lockstep_->advance(seat_, 1);
        return inner_->score(position);
    }
    void embed(const chess::Position& position, std::span<float> z) override {
        inner_->embed(position, z);
    }

  private:
    std::unique_ptr<model::Evaluator> inner_;
    std::shared_ptr<Lockstep> lockstep_;
    Lockstep::Seat seat_;
};

class LockstepModel final : public model::LoadedModel {
  public:
    explicit LockstepModel(std::shared_ptr<const model::LoadedModel> inner)
        : LoadedModel(inner->file()),
          inner_(std::move(inner)),
          lockstep_(std::make_shared<Lockstep>()) {}

    std::unique_ptr<model::Evaluator> make_evaluator() const override {
        return std::make_unique<LockstepEvaluator>(inner_->make_evaluator(), lockstep_);
    }
    model::EncoderTraits traits() const override { return inner_->traits(); }

  private:
    std::shared_ptr<const model::LoadedModel> inner_;
    std::shared_ptr<Lockstep> lockstep_;
};

}  // namespace

std::shared_ptr<const model::LoadedModel> lockstep_model(
    std::shared_ptr<const model::LoadedModel> model) {
    return std::make_shared<const LockstepModel>(std::move(model));
}

}  // namespace solis::cli
