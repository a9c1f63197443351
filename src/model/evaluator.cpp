// The encoders behind the seam.
#include "model/evaluator.h"

#include <algorithm>

#include "model/swift_evaluator.h"
#include "model/transformer_evaluator.h"

namespace solis::model {
namespace {

using chess::Color;
using chess::Position;

// What the mover of a position sees, as White sees it.
float for_white(const Position& position, float score) {
    return position.side_to_move() == Color::White ? score : -score;
}

class SwiftSeat final : public Evaluator {
  public:
    SwiftSeat(const nn::SwiftInteger& net, data::SwiftFeatureSet features,
              const AdvantageAxis& axis)
        : axis_(axis), evaluator_(net, features, axis.direction) {}

    void score_children(const Position& parent, std::span<const Position> children,
                        std::span<float> scores) override {
        evaluator_.score_children(parent, children, scores);
        // Siblings have the same side to move.
        if (parent.side_to_move() == Color::Black) return;
        for (float& score : scores.first(children.size())) score = -score;
    }
    float score(const Position& position) override {
        return for_white(position, evaluator_.score(position));
    }
    void embed(const Position& position, std::span<float> z) override {
        evaluator_.embed(position, z);
        if (position.side_to_move() == Color::Black) axis_.reflect(z);
    }

  private:
    const AdvantageAxis& axis_;
    SwiftEvaluator evaluator_;
};

class LoadedSwift final : public LoadedModel {
  public:
    LoadedSwift(ModelFile file, nn::SwiftInteger net)
        : LoadedModel(std::move(file)), net_(std::move(net)) {}

    std::unique_ptr<Evaluator> make_evaluator() const override {
        return std::make_unique<SwiftSeat>(net_, file().swift()->features, axis());
    }

  private:
    nn::SwiftInteger net_;
};

class TransformerSeat final : public Evaluator {
  public:
    TransformerSeat(const nn::PackedTransformer& net, data::Tokenizer tokenizer,
                    const AdvantageAxis& axis)
        : evaluator_(net, tokenizer, axis.direction) {}

    void score_children(const Position&, std::span<const Position> children,
                        std::span<float> scores) override {
        evaluator_.score(children, scores);
    }
    float score(const Position& position) override {
        float score = 0;
        evaluator_.score({&position, 1}, {&score, 1});
        return score;
    }
    void embed(const Position& position, std::span<float> z) override {
        evaluator_.embed({&position, 1}, z);
    }
    void use_threads(std::size_t threads) override { evaluator_.use_threads(threads); }

  private:
    TransformerEvaluator evaluator_;
};

class LoadedTransformer final : public LoadedModel {
  public:
    explicit LoadedTransformer(ModelFile file)
        : LoadedModel(std::move(file)), net_(encoder().shape, encoder().weights) {
        ThreadPool pool(1);
        net_.pack(false, pool);
        net_.use_bytes(pool);
        net_.make_input_table(pool);
    }

    std::unique_ptr<Evaluator> make_evaluator() const override {
        return std::make_unique<TransformerSeat>(net_, encoder().tokenizer, axis());
    }

    EncoderTraits traits() const override {
        // What one core computes in 4 ms.
        constexpr double kOperationsPerLook = 4e-3 * 75e9;
        const double positions = kOperationsPerLook / nn::forward_operations(encoder().shape);
        return {true, std::max<std::size_t>(1, static_cast<std::size_t>(positions))};
    }

  private:
    const TransformerEncoder& encoder() const { return *file().transformer(); }

    nn::PackedTransformer net_;
};

}  // namespace

Result<std::shared_ptr<const LoadedModel>> prepare(ModelFile file) {
    if (auto ok = file.check_can_score(); !ok) return tl::unexpected(ok.error());
    if (file.transformer() != nullptr) {
        return std::make_shared<const LoadedTransformer>(std::move(file));
    }
    const SwiftEncoder& encoder = *file.swift();
    const float reach = accumulator_reach(encoder.features, encoder.shape, encoder.weights);
    auto net = nn::SwiftInteger::quantize(encoder.shape, encoder.weights, reach);
    if (!net) return tl::unexpected(net.error());
    return std::make_shared<const LoadedSwift>(std::move(file), std::move(*net));
}

}  // namespace solis::model
