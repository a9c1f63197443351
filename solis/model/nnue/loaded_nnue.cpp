// Scores of the net on the scale of an axis.
#include "solis/model/nnue/loaded_nnue.h"

#include <algorithm>
#include <cassert>
#include <vector>

#include "solis/base/file_window.h"
#include "solis/data/score.h"
#include "solis/model/nnue/follower.h"

namespace solis::model {
namespace {

using chess::Color;
using chess::Position;

constexpr int kMostCentipawns = 4000;  // scores are the same beyond
constexpr double kStraightShare = 0.1;

double probability_at(int centipawns) {
    return data::Score::centipawns(centipawns).win_probability();
}

// Steps are small near equality, where the curve bends and games are decided.
Calibration nnue_calibration() {
    std::vector<float> scores, probabilities;
    constexpr int kHalf = 31;
    for (int i = -kHalf; i <= kHalf; ++i) {
        const int centipawns = kMostCentipawns * i * std::abs(i) / (kHalf * kHalf);
        scores.push_back(nnue_score(centipawns));
        probabilities.push_back(static_cast<float>(probability_at(centipawns)));
    }
    return *Calibration::from_knots(std::move(scores), std::move(probabilities));
}

// The score itself is the only coordinate.
Readout nnue_readout() {
    return Readout(*axis_from_means({1.0f}, {-1.0f}), nnue_calibration(), View::Mover);
}

class NnueAdapter final : public Evaluator {
  public:
    explicit NnueAdapter(const nn::NnueNet& net) : follower_(net) {}

    void score_children(const Position& parent, std::span<const Position> children,
                        std::span<float> scores) override {
        follower_.refresh(parent, states_[0]);
        for (std::size_t i = 0; i < children.size(); ++i) {
            follower_.derive(states_[0], children[i], states_[1]);
            scores[i] = white_score(states_[1], children[i]);
        }
    }
    void score(std::span<const Position> positions, std::span<float> scores) override {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            follower_.refresh(positions[i], states_[0]);
            scores[i] = white_score(states_[0], positions[i]);
        }
    }
    // Callers ask LoadedModel::embeds first.
    void embed(std::span<const Position>, std::span<float> z) override {
        assert(false);
        std::fill(z.begin(), z.end(), 0.0f);
    }

  private:
    [[nodiscard]] float white_score(const NnueState& state, const Position& position) const {
        const float score = nnue_score(nnue_centipawns(follower_.value(state, position).total()));
        return position.side_to_move() == Color::White ? score : -score;
    }

    NnueFollower follower_;
    std::vector<NnueState> states_ = std::vector<NnueState>(2);
};

class LoadedNnue final : public LoadedModel {
  public:
    explicit LoadedNnue(std::shared_ptr<const TeacherNet> net)
        : LoadedModel(nnue_readout()), net_(std::move(net)) {}

    std::unique_ptr<Evaluator> make_evaluator() const override {
        return std::make_unique<NnueAdapter>(net_->net);
    }
    bool embeds() const override { return false; }

  private:
    std::shared_ptr<const TeacherNet> net_;
};

}  // namespace

float nnue_score(int centipawns) {
    const int bounded = std::clamp(centipawns, -kMostCentipawns, kMostCentipawns);
    const double straight = static_cast<double>(bounded) / kMostCentipawns;
    const double curved = 2 * probability_at(bounded) - 1;
    return static_cast<float>((1 - kStraightShare) * curved + kStraightShare * straight);
}

std::shared_ptr<const LoadedModel> make_loaded_nnue(std::shared_ptr<const TeacherNet> net) {
    return std::make_shared<const LoadedNnue>(std::move(net));
}

bool is_nnue_file(const std::string& path) {
    auto file = FileWindow::open(path);
    if (!file || file->size() < 4) return false;
    const auto bytes = file->view(0, 4);
    return bytes && nn::looks_like_nnue(*bytes);
}

}  // namespace solis::model
