// One training run: its weights, its place in the data, and the folder it can be resumed from.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>

#include "solis/base/folder_lock.h"
#include "solis/base/thread_pool.h"
#include "solis/nn/optimizer.h"
#include "solis/train/batches.h"
#include "solis/train/checkpoint.h"
#include "solis/train/communicator.h"
#include "solis/train/config.h"
#include "solis/train/loss.h"
#include "solis/train/trainable.h"

namespace solis::train {

struct StepReport {
    std::uint64_t step;  // from 1
    double loss;
    float learning_rate;
    double gradient_norm;   // 0 where clipping is off
    double auxiliary_loss;  // 0 where the run has none
};

class Trainer {
  public:
    // A new run in `folder`, or the one that is there: same config, same data. Fails while another
    // process trains there. With several
    // processes, each embeds its share of every batch; the folder must be the same for all. The run
    // is then that of one process but for the order in which gradients are summed.
    [[nodiscard]] static Result<std::unique_ptr<Trainer>> open(
        const TrainConfig& config, std::filesystem::path folder,
        std::shared_ptr<Communicator> processes = std::make_shared<SingleProcess>());

    [[nodiscard]] const TrainConfig& config() const { return config_; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::uint64_t step() const { return step_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    [[nodiscard]] std::uint64_t positions_per_epoch() const { return batches_.positions(); }
    [[nodiscard]] ThreadPool& pool() { return pool_; }
    // Whether this process writes the run's files; the others only do their share of the steps.
    [[nodiscard]] bool leads() const { return processes_->rank() == 0; }
    // Whether the run shall stop: if any process was asked to. Before every step, by all of them.
    [[nodiscard]] bool agree_to_stop(bool asked) { return processes_->any(asked); }
    // What was damaged in the stores and left out of training.
    [[nodiscard]] const data::ImportReport& skipped() const { return batches_.skipped(); }
    [[nodiscard]] std::vector<std::string> unused_stores() const {
        return batches_.unused_stores();
    }
    // Losses of the steps since clear_losses().
    [[nodiscard]] const LossSum& losses() const { return losses_; }
    void clear_losses() { losses_ = {}; }

    // Does the next step. A loss or gradient that is not a number is an error; the run's last
    // checkpoint is then still the last good one.
    [[nodiscard]] Result<StepReport> advance();
    // Everything needed to go on bit for bit, written atomically into the folder.
    [[nodiscard]] Result<void> save_checkpoint() const;

    // Calls use(encoder) with the weights that a model would get: the averaged ones where the
    // run averages, the current ones otherwise.
    template <class Use>
    auto with_model_weights(Use&& use) {
        swap_averaged();
        auto result = use(*encoder_);
        swap_averaged();
        return result;
    }

  private:
    Trainer(const TrainConfig& config, std::filesystem::path folder, BatchSource batches,
            std::unique_ptr<TrainableEncoder> encoder, std::shared_ptr<Communicator> processes);
    [[nodiscard]] Result<void> load_checkpoint();
    [[nodiscard]] Result<void> check_processes();
    // Loss of the batch; sets the gradients.
    [[nodiscard]] Result<double> differentiate();
    void swap_averaged();
    void update_average();

    TrainConfig config_;
    std::filesystem::path folder_;
    std::optional<FolderLock> lock_;  // of the folder, in the leading process
    std::shared_ptr<Communicator> processes_;
    ThreadPool pool_;
    BatchSource batches_;
    std::unique_ptr<TrainableEncoder> encoder_;
    Loss loss_;
    std::vector<nn::Tensor*> parameters_;
    std::vector<nn::Tensor*> gradients_;
    nn::Optimizer optimizer_;
    std::vector<nn::Tensor> averaged_;  // empty where the run does not average
    LossSum losses_;
    std::uint64_t step_ = 0;
    std::uint64_t steps_ = 0;
    Batch batch_;
    std::vector<float> z_, d_z_;
};

}  // namespace solis::train
