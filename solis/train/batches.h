// Draws the batches of a run from its stores, with their labels or with those of a teacher.
#pragma once
#include <filesystem>
#include <span>
#include <variant>
#include <vector>

#include "solis/chess/position.h"
#include "solis/data/sampler.h"
#include "solis/train/config.h"
#include "solis/train/view.h"

namespace solis::train {

struct Batch {
    std::vector<chess::Position> positions;
    std::vector<float> labels;  // by the config's labels, in the view asked for
};

// What the config makes of the verdict on a position, for its side to move: the win probability, or
// how near a mate is. Then a draw has 0.5, a mate on the board 0, and between them labels fall with
// the root of the plies left: where mates are short a ply counts more, so that all material has its
// share of the range.
[[nodiscard]] float training_label(const TrainConfig& config, data::Score score);

// The config's teacher with its children, for a sampler; changes nothing where there is none. Fails
// where its file is no net.
[[nodiscard]] Result<void> add_teacher(const TrainConfig& config, data::SamplerOptions& options);

class BatchSource {
  public:
    // Opens the training split of the config's stores.
    [[nodiscard]] static Result<BatchSource> open(const TrainConfig& config, View view);

    // The batch of one step. Steps must be asked for in order.
    [[nodiscard]] Result<void> next(std::uint64_t step, Batch& batch);
    // Positions in one epoch. For siblings a little too few: every set counts as two. With a
    // teacher, about.
    [[nodiscard]] std::uint64_t positions() const;
    // What was damaged in the stores and left out.
    [[nodiscard]] const data::ImportReport& skipped() const;
    // Stores of which nothing is drawn, because the filters leave nothing of them, or because
    // siblings are wanted and they have none.
    [[nodiscard]] std::vector<std::string> unused_stores() const;
    [[nodiscard]] data::SamplerState state() const;
    [[nodiscard]] Result<void> restore(const data::SamplerState& state);

  private:
    using Sampler = std::variant<data::PositionSampler, data::SiblingSampler>;

    BatchSource(const TrainConfig& config, View view, Sampler sampler);
    [[nodiscard]] float label_of(const data::Sample& sample) const;
    void take_all(Batch& batch) const;
    void take_anchors_and_positives(std::uint64_t step, Batch& batch) const;
    [[nodiscard]] Result<void> take_siblings(data::SiblingSampler& sampler, Batch& batch);

    TrainConfig config_;
    data::SampleFilter filter_;
    Sampler sampler_;
    std::vector<data::Sample> drawn_;
    std::size_t batch_;
    std::size_t anchors_;    // views = paper; 0 for exact
    std::size_t positives_;  // of each anchor
    float margin_;
    Seed seed_;
    View view_;
};

}  // namespace solis::train
