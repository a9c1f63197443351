// The swift encoder behind the training seam.
#include <algorithm>
#include <numeric>

#include "solis/data/inputs/swift_features.h"
#include "solis/model/swift_reach.h"
#include "solis/nn/swift/integer.h"
#include "solis/nn/swift/net.h"
#include "solis/nn/swift/shrink.h"
#include "solis/train/trainable_kinds.h"

namespace solis::train {
namespace {

using chess::Color;
using chess::Position;

constexpr std::uint64_t kStepsPerLimit = 500;
constexpr std::size_t kRowsPerTask = 64;

class SwiftTrainable final : public TrainableEncoder {
  public:
    SwiftTrainable(const nn::SwiftShape& shape, data::SwiftFeatureSet features, Rng& rng)
        : features_(features), net_(shape) {
        net_.weights().randomize(rng);
    }
    explicit SwiftTrainable(const model::SwiftEncoder& encoder)
        : features_(encoder.features), net_(encoder.shape) {
        net_.weights() = encoder.weights;
    }

    View view() const override { return View::Mover; }
    std::size_t dims() const override { return static_cast<std::size_t>(net_.shape().dims); }
    std::vector<nn::Tensor*> parameters() override { return net_.weights().tensors(); }
    std::vector<nn::Tensor*> gradients() override { return net_.gradients().tensors(); }

    bool resize_from(const model::ModelFile& model) override {
        const model::SwiftEncoder* known = model.swift();
        return known != nullptr && data::begins_with(features_, known->features) &&
               (nn::grow(known->shape, known->weights, net_.shape(), net_.weights()) ||
                nn::shrink(known->shape, known->weights, net_.shape(), net_.weights()));
    }

    // Training stays where integers are fine enough, with some room for the steps in between.
    void start_step(std::uint64_t step, std::size_t, std::size_t) override {
        if (step % kStepsPerLimit == 0) {
            model::limit_reach(features_, net_.weights(), 0.95f * nn::SwiftInteger::kFineReach);
        }
    }

    void forward(std::span<const Position> positions, ThreadPool& pool,
                 std::span<float> z) override {
        sort_by_bucket(positions);
        const auto slots = static_cast<std::size_t>(data::most_active(features_));
        batch_.resize(positions.size(), slots);
        pool.run((positions.size() + kRowsPerTask - 1) / kRowsPerTask, [&](std::size_t task) {
            const std::size_t begin = task * kRowsPerTask;
            const std::size_t end = std::min(positions.size(), begin + kRowsPerTask);
            for (std::size_t row = begin; row < end; ++row) fill_row(row, positions[order_[row]]);
        });
        z_.resize(positions.size() * dims());
        net_.forward(batch_, pool, z_);
        for (std::size_t row = 0; row < order_.size(); ++row) {
            std::copy_n(z_.data() + row * dims(), dims(), z.data() + order_[row] * dims());
        }
    }

    void backward(std::span<const float> d_z, ThreadPool& pool) override {
        d_z_.resize(d_z.size());
        for (std::size_t row = 0; row < order_.size(); ++row) {
            std::copy_n(d_z.data() + order_[row] * dims(), dims(), d_z_.data() + row * dims());
        }
        net_.backward(batch_, z_, d_z_, pool);
    }

    model::ModelFile to_model() const override {
        model::SwiftEncoder encoder(features_, net_.shape());
        encoder.weights = net_.weights();
        model::limit_reach(features_, encoder.weights, nn::SwiftInteger::kFineReach);
        return model::ModelFile(std::move(encoder));
    }

  private:
    void sort_by_bucket(std::span<const Position> positions) {
        order_.resize(positions.size());
        std::iota(order_.begin(), order_.end(), 0u);
        batch_.bucket_ends.assign(static_cast<std::size_t>(net_.shape().buckets), 0);
        const auto bucket = [&](std::uint32_t i) {
            return data::swift_bucket(positions[i], net_.shape().buckets);
        };
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return bucket(a) < bucket(b); });
        for (const std::uint32_t i : order_) ++batch_.bucket_ends[bucket(i)];
        std::partial_sum(batch_.bucket_ends.begin(), batch_.bucket_ends.end(),
                         batch_.bucket_ends.begin());
    }

    void fill_row(std::size_t row, const Position& position) {
        const data::SwiftBoard board(features_, position);
        const Color mover = position.side_to_move();
        for (std::size_t which = 0; which < 2; ++which) {
            const data::SwiftView view = data::swift_view(position, which == 0 ? mover : ~mover);
            data::for_each_input(features_, position, board, view,
                                 [&](int input) { batch_.add(row, which, input); });
        }
    }

    data::SwiftFeatureSet features_;
    nn::SwiftNet net_;
    nn::SparseBatch batch_;
    std::vector<std::uint32_t> order_;  // order_[row of the batch] = index of the position
    std::vector<float> z_, d_z_;        // in the order of the batch
};

}  // namespace

Result<std::unique_ptr<TrainableEncoder>> make_swift_trainable(const TrainConfig& config,
                                                               Rng& rng) {
    nn::SwiftShape shape;
    shape.inputs = data::input_count(config.encoder.features);
    shape.accumulators = static_cast<int>(config.encoder.accumulators);
    shape.dims = static_cast<int>(config.encoder.dims);
    shape.buckets = static_cast<int>(config.encoder.buckets);
    shape.tail = static_cast<int>(config.encoder.tail);
    shape.activation = config.encoder.activation;
    if (auto ok = shape.validate(); !ok) return tl::unexpected(ok.error());
    return std::make_unique<SwiftTrainable>(shape, config.encoder.features, rng);
}

std::unique_ptr<TrainableEncoder> make_swift_trainable(const model::SwiftEncoder& encoder) {
    return std::make_unique<SwiftTrainable>(encoder);
}

}  // namespace solis::train
