// Custom encoders as models.
#include "solis/model/custom_encoder.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <vector>

#include <fmt/format.h>

namespace solis::model {
namespace {

using chess::Position;

// One encoder for all evaluators: they take turns. The first failure is final.
class SharedEncoder {
  public:
    explicit SharedEncoder(std::shared_ptr<CustomEncoder> encoder) : encoder_(std::move(encoder)) {}

    // Zeros where the encoder has failed.
    void embed(std::span<const Position> positions, std::span<float> z) {
        const std::lock_guard lock(mutex_);
        if (!failed_) {
            const auto done = embed_with(*encoder_, positions, z);
            if (done) return;
            status_ = tl::unexpected(done.error());
            failed_ = true;
        }
        std::fill(z.begin(), z.end(), 0.0f);
    }
    [[nodiscard]] std::size_t dims() const { return encoder_->dims(); }
    [[nodiscard]] EncoderTraits traits() const { return encoder_->traits(); }
    [[nodiscard]] bool has_failed() const { return failed_.load(std::memory_order_relaxed); }
    [[nodiscard]] Result<void> status() {
        const std::lock_guard lock(mutex_);
        return status_;
    }

  private:
    std::shared_ptr<CustomEncoder> encoder_;
    std::mutex mutex_;
    std::atomic<bool> failed_{false};
    Result<void> status_;
};

class CustomEvaluator final : public Evaluator {
  public:
    CustomEvaluator(std::shared_ptr<SharedEncoder> encoder, const AdvantageAxis& axis)
        : encoder_(std::move(encoder)), axis_(axis) {}

    void score_children(const Position&, std::span<const Position> children,
                        std::span<float> scores) override {
        score(children, scores);
    }
    void score(std::span<const Position> positions, std::span<float> scores) override {
        const std::size_t dims = axis_.dims();
        z_.resize(positions.size() * dims);
        encoder_->embed(positions, z_);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            scores[i] = axis_.score(std::span(z_).subspan(i * dims, dims));
        }
    }
    void embed(std::span<const Position> positions, std::span<float> z) override {
        encoder_->embed(positions, z.first(positions.size() * axis_.dims()));
    }

  private:
    std::shared_ptr<SharedEncoder> encoder_;
    const AdvantageAxis& axis_;
    std::vector<float> z_;
};

class LoadedCustom final : public LoadedModel {
  public:
    LoadedCustom(Readout readout, std::shared_ptr<CustomEncoder> encoder)
        : LoadedModel(std::move(readout)),
          encoder_(std::make_shared<SharedEncoder>(std::move(encoder))) {}

    std::unique_ptr<Evaluator> make_evaluator() const override {
        return std::make_unique<CustomEvaluator>(encoder_, axis());
    }
    EncoderTraits traits() const override { return encoder_->traits(); }
    bool has_failed() const override { return encoder_->has_failed(); }
    Result<void> status() const override { return encoder_->status(); }

  private:
    std::shared_ptr<SharedEncoder> encoder_;
};

}  // namespace

Result<void> normalise_rows(std::span<float> z, std::size_t dims) {
    for (std::size_t row = 0; (row + 1) * dims <= z.size(); ++row) {
        const std::span<float> values = z.subspan(row * dims, dims);
        double squares = 0;
        for (const float value : values) {
            if (!std::isfinite(value)) {
                return fail(fmt::format("the vector of position {} has a value that is {}", row,
                                        std::isnan(value) ? "not a number" : "infinite"));
            }
            squares += static_cast<double>(value) * static_cast<double>(value);
        }
        // The smallest floats square to less than a double can scale back.
        if (!(squares > 1e-60)) {
            return fail(fmt::format("the vector of position {} has length 0", row),
                        "a direction is needed: scores are projections of unit vectors");
        }
        const double scale = 1 / std::sqrt(squares);
        for (float& value : values) {
            value = static_cast<float>(static_cast<double>(value) * scale);
        }
    }
    return {};
}

Result<void> embed_with(CustomEncoder& encoder, std::span<const Position> positions,
                        std::span<float> z) {
    if (auto ok = encoder.embed(positions, z); !ok) return ok;
    return normalise_rows(z, encoder.dims());
}

Result<std::shared_ptr<const LoadedModel>> make_model(std::shared_ptr<CustomEncoder> encoder,
                                                      AdvantageAxis axis, Calibration calibration) {
    if (encoder->dims() != axis.dims()) {
        return fail(
            fmt::format("the axis has {} dimensions, the encoder {}", axis.dims(), encoder->dims()),
            "fit the axis to this encoder: solis axis");
    }
    return std::make_shared<const LoadedCustom>(
        Readout(std::move(axis), std::move(calibration), View::White), std::move(encoder));
}

}  // namespace solis::model
