// The encoders behind the seam.
#include "solis/model/evaluator.h"

#include <algorithm>

#include "solis/model/swift_evaluator.h"
#include "solis/model/transformer_evaluator.h"

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

// Two encoders, each for its part of chess.
class DividedSeat final : public Evaluator {
  public:
    DividedSeat(std::unique_ptr<Evaluator> game, std::unique_ptr<Evaluator> endings)
        : game_(std::move(game)), endings_(std::move(endings)) {}

    void score_children(const Position& parent, std::span<const Position> children,
                        std::span<float> scores) override {
        if (!may_lead_to_ending(parent)) {
            game_->score_children(parent, children, scores);
            return;
        }
        // Runs of siblings that belong to the same encoder.
        for (std::size_t first = 0, end = 0; first < children.size(); first = end) {
            const bool ending = chess::MateTables::cover(children[first]);
            for (end = first + 1; end < children.size(); ++end) {
                if (chess::MateTables::cover(children[end]) != ending) break;
            }
            Evaluator& in_charge = ending ? *endings_ : *game_;
            in_charge.score_children(parent, children.subspan(first, end - first),
                                     scores.subspan(first, end - first));
        }
    }
    float score(const Position& position) override {
        return (chess::MateTables::cover(position) ? *endings_ : *game_).score(position);
    }
    void embed(const Position& position, std::span<float> z) override { game_->embed(position, z); }
    void use_threads(std::size_t threads) override { game_->use_threads(threads); }

  private:
    // No move takes more than one piece away.
    static bool may_lead_to_ending(const Position& parent) {
        return chess::count(parent.pieces()) <= 5;
    }

    std::unique_ptr<Evaluator> game_;
    std::unique_ptr<Evaluator> endings_;
};

class LoadedDivided final : public LoadedModel {
  public:
    LoadedDivided(std::shared_ptr<const LoadedModel> game,
                  std::shared_ptr<const LoadedModel> endings)
        : LoadedModel(game->file()), game_(std::move(game)), endings_(std::move(endings)) {}

    std::unique_ptr<Evaluator> make_evaluator() const override {
        return std::make_unique<DividedSeat>(game_->make_evaluator(), endings_->make_evaluator());
    }
    EncoderTraits traits() const override { return game_->traits(); }

  private:
    std::shared_ptr<const LoadedModel> game_;
    std::shared_ptr<const LoadedModel> endings_;
};

Result<std::shared_ptr<const LoadedModel>> prepare_one(ModelFile file) {
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

}  // namespace

Result<std::shared_ptr<const LoadedModel>> prepare(ModelFile file) {
    const std::shared_ptr<const ModelFile> endings = file.endings;
    auto game = prepare_one(std::move(file));
    if (!game || !endings) return game;
    auto loaded = prepare_one(*endings);
    if (!loaded) return fail_in("endings", loaded.error());
    return std::make_shared<const LoadedDivided>(std::move(*game), std::move(*loaded));
}

}  // namespace solis::model
