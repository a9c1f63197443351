// The training step and its checkpoint.
#include "solis/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "solis/nn/kernels/bf16_panels.h"
#include "solis/nn/kernels/vector_kernels.h"
#include "solis/train/schedule.h"

namespace solis::train {
namespace {

constexpr const char* kDivergedHint =
    "the last checkpoint is intact; try a lower learning_rate or clip = 1";

nn::OptimizerConfig optimizer_config(const TrainConfig& config) {
    nn::OptimizerConfig optimizer;
    optimizer.kind = config.optimizer.kind;
    optimizer.bf16 = config.run.precision == PrecisionChoice::BFloat16;
    optimizer.beta1 = optimizer.momentum = static_cast<float>(config.optimizer.momentum);
    optimizer.beta2 = static_cast<float>(config.optimizer.beta2);
    optimizer.weight_decay = static_cast<float>(config.optimizer.weight_decay);
    return optimizer;
}

std::uint64_t step_count(const TrainConfig& config, std::uint64_t positions) {
    if (config.run.steps > 0) return static_cast<std::uint64_t>(config.run.steps);
    const double steps =
        config.run.epochs * static_cast<double>(positions) / static_cast<double>(config.run.batch);
    return static_cast<std::uint64_t>(std::max(1.0, std::floor(steps)));
}

// What precision = "auto" means: what a run has been using, so that another machine does not
// change it, or what is fastest here. Runs from before there was a choice used floats.
Result<PrecisionChoice> precision_of(const TrainConfig& config,
                                     const std::filesystem::path& folder) {
    if (config.run.precision != PrecisionChoice::Auto) return config.run.precision;
    if (config.encoder.kind != EncoderKind::Transformer || config.run.backend != Backend::Native) {
        return PrecisionChoice::Float;
    }
    if (!has_checkpoint(folder)) {
        return nn::has_fast_bf16() ? PrecisionChoice::BFloat16 : PrecisionChoice::Float;
    }
    const auto checkpoint = read_checkpoint(folder);
    if (!checkpoint) return tl::unexpected(checkpoint.error());
    TrainConfig before;
    before.run.precision = PrecisionChoice::Float;
    const auto saved = parse_config(checkpoint->config, before);
    if (!saved) return fail_in("the config in the checkpoint", saved.error());
    return saved->run.precision;
}

// Moves the values of the tensor with the name of `to` out of `saved`.
Result<void> take_tensor(std::vector<nn::Tensor>& saved, nn::Tensor& to) {
    for (nn::Tensor& tensor : saved) {
        if (tensor.name != to.name || tensor.shape != to.shape) continue;
        to.values = std::move(tensor.values);
        return {};
    }
    return fail(fmt::format("the checkpoint has no tensor '{}' of shape [{}]", to.name,
                            fmt::join(to.shape, ", ")));
}

// Gives the encoder the weights of a model of its kind and size, or of a smaller swift.
Result<void> take_weights(const std::string& path, TrainableEncoder& encoder) {
    const auto model = model::load_model(path);
    if (!model) return tl::unexpected(model.error());
    if (model->process() != nullptr) {
        return fail(fmt::format("'{}' has no weights: its encoder is a program of its own", path));
    }
    if (encoder.resize_from(*model)) return {};
    const auto known = make_trainable(*model);
    std::vector<nn::Tensor> weights;
    for (const nn::Tensor* tensor : known->parameters()) weights.push_back(*tensor);
    std::vector<nn::Tensor*> wanted = encoder.parameters();
    wanted.resize(wanted.size() - encoder.helper_parameters());
    for (nn::Tensor* parameter : wanted) {
        if (take_tensor(weights, *parameter)) continue;
        return fail(
            fmt::format("'{}' has no weights '{}' of shape [{}]", path, parameter->name,
                        fmt::join(parameter->shape, ", ")),
            "start_from wants a model of the config's encoder and sizes (a swift with fewer "
            "accumulators, without a tail or with more dimensions will do); see: solis model info");
    }
    return {};
}

}  // namespace

Trainer::Trainer(const TrainConfig& config, std::filesystem::path folder, BatchSource batches,
                 std::unique_ptr<TrainableEncoder> encoder, std::shared_ptr<Communicator> processes)
    : config_(config),
      folder_(std::move(folder)),
      processes_(std::move(processes)),
      pool_(static_cast<std::size_t>(config.run.threads)),
      batches_(std::move(batches)),
      encoder_(std::move(encoder)),
      loss_(config),
      parameters_(encoder_->parameters()),
      gradients_(encoder_->gradients()),
      optimizer_(optimizer_config(config), parameters_, encoder_->linear_maps()),
      steps_(step_count(config, batches_.positions())) {
    if (config.optimizer.average > 0) {
        for (const nn::Tensor* parameter : parameters_) averaged_.push_back(*parameter);
    }
}

Result<std::unique_ptr<Trainer>> Trainer::open(const TrainConfig& wanted,
                                               std::filesystem::path folder,
                                               std::shared_ptr<Communicator> processes) {
    if (auto ok = validate(wanted); !ok) return tl::unexpected(ok.error());
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        return fail(fmt::format("cannot create '{}': {}", folder.string(), error.message()));
    }
    // Of several processes, the leading one writes.
    std::optional<FolderLock> lock;
    if (processes->rank() == 0) {
        auto taken = FolderLock::take(folder, "training");
        if (!taken) return tl::unexpected(taken.error());
        lock.emplace(std::move(*taken));
    }
    TrainConfig config = wanted;
    const auto precision = precision_of(wanted, folder);
    if (!precision) return tl::unexpected(precision.error());
    config.run.precision = *precision;
    Rng rng(Seed{static_cast<std::uint64_t>(config.run.seed)});
    auto encoder = make_trainable(config, rng);
    if (!encoder) return tl::unexpected(encoder.error());
    if (!config.encoder.start_from.empty() && !has_checkpoint(folder)) {
        if (auto ok = take_weights(config.encoder.start_from, **encoder); !ok) {
            return tl::unexpected(ok.error());
        }
    }
    auto batches = BatchSource::open(config, (*encoder)->view());
    if (!batches) return tl::unexpected(batches.error());
    std::unique_ptr<Trainer> trainer(new Trainer(config, std::move(folder), std::move(*batches),
                                                 std::move(*encoder), std::move(processes)));
    trainer->lock_ = std::move(lock);
    if (has_checkpoint(trainer->folder_)) {
        if (auto ok = trainer->load_checkpoint(); !ok) return tl::unexpected(ok.error());
    }
    if (auto ok = trainer->check_processes(); !ok) return tl::unexpected(ok.error());
    return trainer;
}

// All must stand at the same step, and have something to do.
Result<void> Trainer::check_processes() {
    const std::size_t size = processes_->size();
    if (size > static_cast<std::size_t>(config_.run.batch) / 8) {
        return fail(fmt::format("{} processes for batches of {}", size, config_.run.batch),
                    "start at most one for every 8 positions");
    }
    std::vector<float> steps(size);
    std::vector<std::size_t> ends(size);
    std::iota(ends.begin(), ends.end(), std::size_t{1});
    steps[processes_->rank()] = static_cast<float>(step_);
    processes_->gather(steps, ends);
    if (std::count(steps.begin(), steps.end(), steps[0]) == static_cast<std::ptrdiff_t>(size)) {
        return {};
    }
    return fail(fmt::format("the processes found different checkpoints in '{}'", folder_.string()),
                "the folder must be on a disk that all of them share");
}

Result<StepReport> Trainer::advance() {
    if (auto ok = batches_.next(step_, batch_); !ok) return tl::unexpected(ok.error());
    const auto loss = differentiate();
    if (!loss) return tl::unexpected(loss.error());
    StepReport report{step_ + 1, *loss, learning_rate_at(config_, step_, steps_), 0,
                      encoder_->auxiliary_loss()};
    float scale = 1;
    if (config_.optimizer.clip > 0) {
        report.gradient_norm = nn::global_norm(gradients_);
        if (!std::isfinite(report.gradient_norm)) {
            return fail(fmt::format("a gradient of step {} is not a number", step_ + 1),
                        kDivergedHint);
        }
        if (report.gradient_norm > config_.optimizer.clip) {
            scale = static_cast<float>(config_.optimizer.clip / report.gradient_norm);
        }
    }
    optimizer_.step(parameters_, gradients_, report.learning_rate, scale, pool_);
    update_average();
    losses_.sum += *loss;
    ++losses_.count;
    ++step_;
    return report;
}

// Embeddings, their rows of the loss and gradients are made where the positions are; all processes
// know all embeddings, because the loss couples them.
Result<double> Trainer::differentiate() {
    const std::size_t dims = encoder_->dims(), rows = batch_.positions.size();
    z_.resize(rows * dims);
    d_z_.resize(z_.size());
    const std::size_t size = processes_->size(), rank = processes_->rank();
    const std::size_t begin = rows * rank / size, end = rows * (rank + 1) / size;
    const auto own = [&](std::span<float> all) {
        return all.subspan(begin * dims, (end - begin) * dims);
    };
    encoder_->start_step(step_, begin, rows);
    encoder_->forward(std::span(batch_.positions).subspan(begin, end - begin), pool_, own(z_));
    const auto exchange = [&](std::span<float> values, std::size_t per_row) {
        std::vector<std::size_t> ends;
        for (std::size_t r = 0; r < size; ++r) ends.push_back(rows * (r + 1) / size * per_row);
        processes_->gather(values, ends);
    };
    exchange(z_, dims);
    if (auto ok = encoder_->take_status(); !ok) return tl::unexpected(ok.error());
    const nn::RowShare share{begin, end, rows, exchange};
    const double loss = loss_(z_, batch_.labels, dims, pool_, d_z_, size > 1 ? &share : nullptr);
    if (!std::isfinite(loss)) {
        return fail(fmt::format("the loss of step {} is not a number", step_ + 1), kDivergedHint);
    }
    encoder_->backward(own(d_z_), pool_);
    if (auto ok = encoder_->take_status(); !ok) return tl::unexpected(ok.error());
    for (nn::Tensor* gradient : gradients_) processes_->sum(gradient->values);
    return loss;
}

void Trainer::update_average() {
    if (averaged_.empty()) return;
    // A short memory at first, so that the random start is soon forgotten.
    const double decay = std::min(config_.optimizer.average,
                                  static_cast<double>(step_ + 1) / static_cast<double>(step_ + 10));
    for (std::size_t t = 0; t < averaged_.size(); ++t) {
        std::vector<float>& average = averaged_[t].values;
        for (float& value : average) value *= static_cast<float>(decay);
        nn::add_scaled(static_cast<float>(1 - decay), parameters_[t]->values, average.data());
    }
}

void Trainer::swap_averaged() {
    for (std::size_t t = 0; t < averaged_.size(); ++t) {
        std::swap(averaged_[t].values, parameters_[t]->values);
    }
}

Result<void> Trainer::save_checkpoint() const {
    // Weights can overflow in the last step's update, after its loss was looked at.
    if (!std::isfinite(nn::global_norm(parameters_))) {
        return fail(fmt::format("a weight after step {} is not a number", step_), kDivergedHint);
    }
    Checkpoint checkpoint;
    checkpoint.step = step_;
    checkpoint.optimizer_steps = optimizer_.steps();
    checkpoint.sampler = batches_.state();
    checkpoint.losses = losses_;
    checkpoint.config = to_toml(config_);
    for (const nn::Tensor* parameter : parameters_) checkpoint.parameters.push_back(*parameter);
    checkpoint.moments = optimizer_.moments();
    checkpoint.averaged = averaged_;
    return write_checkpoint(folder_, checkpoint);
}

Result<void> Trainer::load_checkpoint() {
    auto checkpoint = read_checkpoint(folder_);
    if (!checkpoint) return tl::unexpected(checkpoint.error());
    if (auto ok = check_same_run(checkpoint->config, config_); !ok) return ok;
    if (auto ok = batches_.restore(checkpoint->sampler); !ok) return ok;
    for (nn::Tensor* parameter : parameters_) {
        if (auto ok = take_tensor(checkpoint->parameters, *parameter); !ok) return ok;
    }
    for (nn::Tensor& moment : optimizer_.moments()) {
        if (auto ok = take_tensor(checkpoint->moments, moment); !ok) return ok;
    }
    for (nn::Tensor& average : averaged_) {
        if (auto ok = take_tensor(checkpoint->averaged, average); !ok) return ok;
    }
    optimizer_.set_steps(checkpoint->optimizer_steps);
    losses_ = checkpoint->losses;
    step_ = checkpoint->step;
    return {};
}

}  // namespace solis::train
