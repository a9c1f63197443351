// A custom encoder behind the training seam.
#include "solis/train/frozen_encoder.h"

#include <algorithm>
#include <utility>

namespace solis::train {
namespace {

class FrozenEncoder final : public TrainableEncoder {
  public:
    FrozenEncoder(std::shared_ptr<model::CustomEncoder> encoder, std::string name)
        : encoder_(std::move(encoder)), name_(std::move(name)) {}

    View view() const override { return View::White; }
    std::size_t dims() const override { return encoder_->dims(); }
    std::vector<nn::Tensor*> parameters() override { return {}; }
    std::vector<nn::Tensor*> gradients() override { return {}; }
    void forward(std::span<const chess::Position> positions, ThreadPool&,
                 std::span<float> z) override {
        if (status_) status_ = model::embed_with(*encoder_, positions, z);
        // A direction, so that nobody divides by 0 before the status is asked for.
        if (!status_) std::fill(z.begin(), z.end(), 1.0f);
    }
    void backward(std::span<const float>, ThreadPool&) override {}
    Result<void> take_status() override { return std::exchange(status_, {}); }
    model::ModelFile to_model() const override {
        return model::ModelFile(model::ProcessEncoder{dims(), name_});
    }

  private:
    std::shared_ptr<model::CustomEncoder> encoder_;
    std::string name_;
    Result<void> status_;
};

}  // namespace

std::unique_ptr<TrainableEncoder> make_frozen(std::shared_ptr<model::CustomEncoder> encoder,
                                              std::string name) {
    return std::make_unique<FrozenEncoder>(std::move(encoder), std::move(name));
}

}  // namespace solis::train
