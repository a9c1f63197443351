// The encoders behind the seam.
#include "solis/model/open.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/model/embedded_model.h"
#include "solis/model/model_file.h"
#include "solis/model/nnue/loaded_nnue.h"
#include "solis/model/swift_evaluator.h"
#include "solis/model/swift_reach.h"
#include "solis/model/transformer_evaluator.h"

namespace solis::model {
namespace {

using chess::Color;
using chess::Position;

// Swift sees the board as the side to move does; White's view is its reflection.
class SwiftAdapter final : public Evaluator {
  public:
    SwiftAdapter(const nn::SwiftInteger& net, data::SwiftFeatureSet features,
                 const AdvantageAxis& axis)
        : axis_(axis), evaluator_(net, features, axis.direction) {}

    void score_children(const Position& parent, std::span<const Position> children,
                        std::span<float> scores) override {
        evaluator_.score_children(parent, children, scores);
        // Siblings have the same side to move.
        if (parent.side_to_move() == Color::Black) return;
        for (float& score : scores.first(children.size())) score = -score;
    }
    void score(std::span<const Position> positions, std::span<float> scores) override {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const float of_mover = evaluator_.score(positions[i]);
            scores[i] = positions[i].side_to_move() == Color::White ? of_mover : -of_mover;
        }
    }
    void embed(std::span<const Position> positions, std::span<float> z) override {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            const std::span<float> row = z.subspan(i * axis_.dims(), axis_.dims());
            evaluator_.embed(positions[i], row);
            if (positions[i].side_to_move() == Color::Black) axis_.reflect(row);
        }
    }

  private:
    const AdvantageAxis& axis_;
    SwiftEvaluator evaluator_;
};

// Holds the integers only: the floats they were made from are not needed again.
class LoadedSwift final : public LoadedModel {
  public:
    LoadedSwift(Readout readout, data::SwiftFeatureSet features, nn::SwiftInteger net)
        : LoadedModel(std::move(readout)), features_(features), net_(std::move(net)) {}

    std::unique_ptr<Evaluator> make_evaluator() const override {
        return std::make_unique<SwiftAdapter>(net_, features_, axis());
    }

  private:
    data::SwiftFeatureSet features_;
    nn::SwiftInteger net_;
};

class TransformerAdapter final : public Evaluator {
  public:
    TransformerAdapter(const nn::PackedTransformer& net, data::Tokenizer tokenizer,
                       const AdvantageAxis& axis)
        : evaluator_(net, tokenizer, axis.direction) {}

    void score_children(const Position&, std::span<const Position> children,
                        std::span<float> scores) override {
        evaluator_.score(children, scores);
    }
    void score(std::span<const Position> positions, std::span<float> scores) override {
        evaluator_.score(positions, scores);
    }
    void embed(std::span<const Position> positions, std::span<float> z) override {
        evaluator_.embed(positions, z);
    }
    void use_threads(std::size_t threads) override { evaluator_.use_threads(threads); }

  private:
    TransformerEvaluator evaluator_;
};

class LoadedTransformer final : public LoadedModel {
  public:
    LoadedTransformer(Readout readout, TransformerEncoder encoder)
        : LoadedModel(std::move(readout)),
          tokenizer_(encoder.tokenizer),
          net_(pack(encoder.shape, std::move(encoder.weights))) {}

    std::unique_ptr<Evaluator> make_evaluator() const override {
        return std::make_unique<TransformerAdapter>(net_, tokenizer_, axis());
    }

    EncoderTraits traits() const override {
        // What one core computes in 4 ms.
        constexpr double kOperationsPerLook = 4e-3 * 75e9;
        const double positions = kOperationsPerLook / nn::forward_operations(net_.shape());
        return {true, std::max<std::size_t>(1, static_cast<std::size_t>(positions))};
    }

  private:
    static nn::PackedTransformer pack(const nn::TransformerShape& shape,
                                      nn::TransformerWeights weights) {
        ThreadPool pool(1);
        return nn::PackedTransformer::for_inference(shape, std::move(weights),
                                                    nn::InferencePrecision::Bytes, pool);
    }

    data::Tokenizer tokenizer_;
    nn::PackedTransformer net_;
};

// Two encoders, each for its part of chess.
class DividedAdapter final : public Evaluator {
  public:
    DividedAdapter(std::unique_ptr<Evaluator> game, std::unique_ptr<Evaluator> endings)
        : game_(std::move(game)), endings_(std::move(endings)) {}

    void score_children(const Position& parent, std::span<const Position> children,
                        std::span<float> scores) override {
        // Endings have at most four pieces, and no move takes more than one away.
        if (chess::count(parent.pieces()) > 5) {
            game_->score_children(parent, children, scores);
            return;
        }
        by_encoder(children, [&](Evaluator& in_charge, std::size_t first, std::size_t count) {
            in_charge.score_children(parent, children.subspan(first, count),
                                     scores.subspan(first, count));
        });
    }
    void score(std::span<const Position> positions, std::span<float> scores) override {
        by_encoder(positions, [&](Evaluator& in_charge, std::size_t first, std::size_t count) {
            in_charge.score(positions.subspan(first, count), scores.subspan(first, count));
        });
    }
    void embed(std::span<const Position> positions, std::span<float> z) override {
        game_->embed(positions, z);
    }
    void use_threads(std::size_t threads) override {
        game_->use_threads(threads);
        endings_->use_threads(threads);
    }

  private:
    // Calls run(encoder, first, count) for runs of positions that belong to the same encoder.
    template <class Run>
    void by_encoder(std::span<const Position> positions, Run&& run) {
        for (std::size_t first = 0, end = 0; first < positions.size(); first = end) {
            const bool ending = chess::MateTables::cover(positions[first]);
            for (end = first + 1; end < positions.size(); ++end) {
                if (chess::MateTables::cover(positions[end]) != ending) break;
            }
            run(ending ? *endings_ : *game_, first, end - first);
        }
    }

    std::unique_ptr<Evaluator> game_;
    std::unique_ptr<Evaluator> endings_;
};

class LoadedDivided final : public LoadedModel {
  public:
    LoadedDivided(std::shared_ptr<const LoadedModel> game,
                  std::shared_ptr<const LoadedModel> endings)
        : LoadedModel(game->readout(), endings->readout()),
          game_(std::move(game)),
          endings_(std::move(endings)) {}

    std::unique_ptr<Evaluator> make_evaluator() const override {
        return std::make_unique<DividedAdapter>(game_->make_evaluator(),
                                                endings_->make_evaluator());
    }
    EncoderTraits traits() const override { return game_->traits(); }
    bool has_failed() const override { return game_->has_failed(); }
    Result<void> status() const override { return game_->status(); }

  private:
    std::shared_ptr<const LoadedModel> game_;
    std::shared_ptr<const LoadedModel> endings_;
};

using Loaded = std::shared_ptr<const LoadedModel>;

Result<Loaded> make_ready(Readout readout, const SwiftEncoder& encoder) {
    const nn::InputBounds bounds = input_bounds(encoder.features, encoder.weights);
    auto net = nn::SwiftInteger::quantize(encoder.shape, encoder.weights, bounds);
    if (!net) return tl::unexpected(net.error());
    return std::make_shared<const LoadedSwift>(std::move(readout), encoder.features,
                                               std::move(*net));
}

Result<Loaded> make_ready(Readout readout, TransformerEncoder encoder) {
    return std::make_shared<const LoadedTransformer>(std::move(readout), std::move(encoder));
}

Result<Loaded> make_ready(const Readout&, const ProcessEncoder& encoder) {
    return fail(fmt::format("the encoder '{}' of this model is a program of its own", encoder.name),
                "name the command that starts it: --encoder-command");
}

Result<Loaded> prepare_one(ModelFile file) {
    if (auto ok = file.check_can_score(); !ok) return tl::unexpected(ok.error());
    Readout readout(std::move(*file.axis), std::move(*file.calibration), file.view());
    return std::visit(
        [&](auto& encoder) { return make_ready(std::move(readout), std::move(encoder)); },
        file.encoder);
}

Result<Loaded> with_endings(Result<Loaded> game, const ModelFile* endings) {
    if (!game || endings == nullptr) return game;
    auto loaded = prepare_one(*endings);
    if (!loaded) return fail_in("endings", loaded.error());
    return std::make_shared<const LoadedDivided>(std::move(*game), std::move(*loaded));
}

}  // namespace

Result<std::shared_ptr<const LoadedModel>> prepare(ModelFile file) {
    const std::shared_ptr<const ModelFile> endings = std::move(file.endings);
    return with_endings(prepare_one(std::move(file)), endings.get());
}

Result<std::shared_ptr<const LoadedModel>> open_from(const ModelSource& source) {
    if (source.encoder_command.empty()) return open(source.path);
    if (source.path.empty()) {
        return fail("the encoder has no axis and calibration",
                    "fit them, solis axis --encoder-command ... --data LABELS --out FILE, and name "
                    "that file as the model");
    }
    auto file = load_model(source.path);
    if (!file) return tl::unexpected(file.error());
    if (file->process() == nullptr) {
        return fail(fmt::format("'{}' has an encoder of its own ({}), and is not the axis of a "
                                "process",
                                source.path, file->encoder_kind()),
                    "leave --encoder-command out, or fit an axis to it: solis axis");
    }
    if (auto ok = file->check_can_score(); !ok) return fail_in(source.path, ok.error());
    auto encoder = EncoderProcess::start(source.encoder_command, source.process);
    if (!encoder) return tl::unexpected(encoder.error());
    if ((*encoder)->name() != file->process()->name) {
        return fail(fmt::format("'{}' is the axis of encoder '{}', this one is called '{}'",
                                source.path, file->process()->name, (*encoder)->name()),
                    "fit the axis to this encoder: solis axis");
    }
    auto game =
        make_model(std::move(*encoder), std::move(*file->axis), std::move(*file->calibration));
    if (!game) return fail_in(source.path, game.error());
    return with_endings(std::move(game), file->endings.get());
}

Result<std::shared_ptr<const LoadedModel>> open(const std::string& path) {
    if (!path.empty() && is_nnue_file(path)) {
        auto net = load_teacher_net(path);
        if (!net) return tl::unexpected(net.error());
        return make_loaded_nnue(std::move(*net));
    }
    auto file = load_model_or_default(path);
    if (!file) return tl::unexpected(file.error());
    auto model = prepare(std::move(*file));
    if (!model && !path.empty()) return fail_in(path, model.error());
    return model;
}

}  // namespace solis::model
