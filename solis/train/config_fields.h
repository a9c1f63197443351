// The one list of the fields of a training config: key, place, range, meaning. Reading and writing
// TOML, the options of the command line, validation, resuming and the table in docs/training.md all
// follow it.
#pragma once
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "solis/train/config.h"

namespace solis::train {

// One value of an enum by name. Older versions may have called it something else.
template <class E>
struct Choice {
    E value;
    std::string_view name;
    std::string_view old_name{};
};

template <class E>
inline constexpr std::array<Choice<E>, 0> kChoices{};
template <>
inline constexpr std::array kChoices<EncoderKind>{
    Choice<EncoderKind>{EncoderKind::Swift, "swift"},
    Choice<EncoderKind>{EncoderKind::Transformer, "transformer"}};
template <>
inline constexpr std::array kChoices<data::SwiftFeatureSet>{
    Choice<data::SwiftFeatureSet>{data::SwiftFeatureSet::Pieces, "pieces"},
    Choice<data::SwiftFeatureSet>{data::SwiftFeatureSet::Threats, "threats"},
    Choice<data::SwiftFeatureSet>{data::SwiftFeatureSet::Relations, "relations"},
    Choice<data::SwiftFeatureSet>{data::SwiftFeatureSet::Contacts, "contacts"},
    Choice<data::SwiftFeatureSet>{data::SwiftFeatureSet::Danger, "danger"}};
template <>
inline constexpr std::array kChoices<nn::SwiftActivation>{
    Choice<nn::SwiftActivation>{nn::SwiftActivation::Squared, "squared"},
    Choice<nn::SwiftActivation>{nn::SwiftActivation::Pairs, "pairs"}};
template <>
inline constexpr std::array kChoices<data::Tokenizer>{
    Choice<data::Tokenizer>{data::Tokenizer::Deepmind, "deepmind"},
    Choice<data::Tokenizer>{data::Tokenizer::Reference, "reference"}};
template <>
inline constexpr std::array kChoices<LossKind>{
    Choice<LossKind>{LossKind::SupCon, "supcon"}, Choice<LossKind>{LossKind::Soft, "soft"},
    Choice<LossKind>{LossKind::RankN, "rnc"}, Choice<LossKind>{LossKind::Regression, "regression"}};
template <>
inline constexpr std::array kChoices<Batching>{Choice<Batching>{Batching::Exact, "exact"},
                                               Choice<Batching>{Batching::Paper, "paper"},
                                               Choice<Batching>{Batching::Siblings, "siblings"}};
template <>
inline constexpr std::array kChoices<LabelKind>{
    Choice<LabelKind>{LabelKind::WinProbability, "win_probability", "chance"},
    Choice<LabelKind>{LabelKind::MateDistance, "mate_distance", "distance"}};
template <>
inline constexpr std::array kChoices<nn::OptimizerKind>{
    Choice<nn::OptimizerKind>{nn::OptimizerKind::AdamW, "adamw"},
    Choice<nn::OptimizerKind>{nn::OptimizerKind::Sgd, "sgd"},
    Choice<nn::OptimizerKind>{nn::OptimizerKind::Muon, "muon"}};
template <>
inline constexpr std::array kChoices<Schedule>{Choice<Schedule>{Schedule::Cosine, "cosine"},
                                               Choice<Schedule>{Schedule::Step, "step"},
                                               Choice<Schedule>{Schedule::Constant, "constant"}};
template <>
inline constexpr std::array kChoices<PrecisionChoice>{
    Choice<PrecisionChoice>{PrecisionChoice::Auto, "auto"},
    Choice<PrecisionChoice>{PrecisionChoice::Float, "float"},
    Choice<PrecisionChoice>{PrecisionChoice::BFloat16, "bf16"}};
template <>
inline constexpr std::array kChoices<Backend>{Choice<Backend>{Backend::Native, "native"},
                                              Choice<Backend>{Backend::Torch, "torch"}};

template <class E>
[[nodiscard]] constexpr std::string_view choice_name(E value) {
    for (const Choice<E>& choice : kChoices<E>) {
        if (choice.value == value) return choice.name;
    }
    return "?";
}

template <class E>
[[nodiscard]] constexpr std::optional<E> choice_from_name(std::string_view name) {
    for (const Choice<E>& choice : kChoices<E>) {
        if (choice.name == name || (!choice.old_name.empty() && choice.old_name == name)) {
            return choice.value;
        }
    }
    return std::nullopt;
}

// "swift, transformer"
template <class E>
[[nodiscard]] std::string choice_list() {
    std::string text;
    for (const Choice<E>& choice : kChoices<E>) {
        text += (text.empty() ? "" : ", ") + std::string(choice.name);
    }
    return text;
}

// What a field may be, and how it behaves.
struct FieldRule {
    double low = -std::numeric_limits<double>::infinity();  // of numbers, inclusive
    double high = std::numeric_limits<double>::infinity();
    std::string_view old_key{};  // of older versions, still read
    bool may_change = false;     // between the start of a run and its resumption

    [[nodiscard]] constexpr FieldRule renamed_from(std::string_view key) const {
        FieldRule rule = *this;
        rule.old_key = key;
        return rule;
    }
    [[nodiscard]] constexpr FieldRule changeable() const {
        FieldRule rule = *this;
        rule.may_change = true;
        return rule;
    }
};
[[nodiscard]] constexpr FieldRule anything() { return {}; }
[[nodiscard]] constexpr FieldRule within(double low, double high) {
    return {.low = low, .high = high};
}

// Calls field(key, member, rule, meaning) for every field, in the order of the file. Config is
// TrainConfig or const TrainConfig.
template <class Config, class Field>
void visit_data_fields(Config& c, Field&& field) {
    field("stores", c.data.stores, anything(), "store files with labelled positions");
    field("teacher", c.data.teacher, anything(),
          "net of Stockfish 15.1 that labels the games of the stores while they are drawn, instead "
          "of the labels that they hold; \"\": none");
    field("teacher_children", c.data.teacher_children, within(0, 16),
          "teacher: random moves that are labelled beside each position of a game, other ones in "
          "every epoch");
    field("teacher_two_ply_share", c.data.teacher_two_ply_share, within(0, 1),
          "teacher: share of these moves that get a random reply, too; such positions are more "
          "various, but no siblings");
    field("keep_branches", c.data.keep_branches, within(0, 1), "share of side branches used, 0..1");
    field("keep_decided", c.data.keep_decided, within(0, 1),
          "share used of the positions beyond 600 centipawns, 0..1");
    field("keep_unquiet", c.data.keep_unquiet, within(0, 1),
          "share used of the positions in check, and of those where the mover wins an exchange, "
          "0..1");
    field("skip_in_check", c.data.skip_in_check, anything(), "leave out positions in check");
    field("max_disagreement", c.data.max_disagreement, within(0, 1),
          "leave out positions whose second look differs by more in win probability");
    field("held_out", c.data.held_out, within(0.001, 0.4),
          "share of the games for validation; as many again are left for tests");
    field("skip_damaged", c.data.skip_damaged, anything().changeable(),
          "leave out damaged blocks of the stores instead of stopping");
}

template <class Config, class Field>
void visit_encoder_fields(Config& c, Field&& field) {
    field("encoder", c.encoder.kind, anything(), "swift or transformer");
    field("features", c.encoder.features, anything(),
          "swift inputs: pieces, threats, relations, contacts or danger");
    field("activation", c.encoder.activation, anything(), "swift: squared or pairs");
    field("accumulators", c.encoder.accumulators, within(64, 4096),
          "swift: width per view, a multiple of 64");
    field("dims", c.encoder.dims, within(8, 1024), "dimensions of the embedding");
    field("buckets", c.encoder.buckets, within(1, 32), "swift: output layers, by number of pieces");
    field("tail", c.encoder.tail, within(0, 1024),
          "swift: hidden values of a second layer before the embedding, a multiple of 16; 0: none");
    field("tokenizer", c.encoder.tokenizer, anything(), "transformer: deepmind or reference");
    field("heads", c.encoder.heads, within(1, 64), "transformer: attention heads");
    field("mlp", c.encoder.mlp, within(16, 16384), "transformer: width of the inner layer");
    field("layers", c.encoder.layers, within(1, 64), "transformer: layers");
    field("dropout", c.encoder.dropout, within(0, 0.9),
          "transformer: share of activations dropped in training");
    field(
        "start_from", c.encoder.start_from, anything(),
        "model of the same kind and size whose weights the run starts with, or a swift with fewer "
        "accumulators or without a tail, which it grows, or with more dimensions, which it "
        "shrinks; \"\": random");
}

template <class Config, class Field>
void visit_loss_fields(Config& c, Field&& field) {
    field("loss", c.loss.kind, anything(), "supcon, soft, rnc or regression (a control)");
    field("batching", c.loss.batching, anything().renamed_from("views"),
          "exact: single positions, each with its own label; paper: anchors lend their label to "
          "positives; siblings: exact, in sets of moves from one position");
    field("temperature", c.loss.temperature, within(1e-3, 10), "tau");
    field("margin", c.loss.margin, within(1e-6, 1), "delta: labels closer than this attract");
    field("labels", c.loss.labels, anything(),
          "win_probability, or mate_distance for endings: the nearer a mate the farther from a "
          "draw");
    field("positives", c.loss.positives, within(1, 64),
          "batching = paper: positives drawn for each anchor");
    field("auxiliary_loss", c.auxiliary.weight, within(0, 1000).renamed_from("lessons"),
          "transformer: weight of the auxiliary loss, which asks of every square which pieces "
          "attack it and what its piece is worth to auxiliary_teacher; 0: none");
    field("auxiliary_teacher", c.auxiliary.teacher, anything(),
          "model that tells the auxiliary loss what pieces are worth; default: the embedded one, "
          "\"\": none, attacks only");
    field("auxiliary_moves", c.auxiliary.moves, within(0, 100),
          "weight, beside 1 for the others, of what the auxiliary loss asks about moves: how much "
          "the "
          "best one from and to each square gains in the eyes of auxiliary_teacher; 0: nothing");
    field("landmarks", c.loss.landmarks, within(0, 4096),
          "fixed points that join every batch of a contrastive loss, 0 for none (the paper)");
    field("landmark_arc", c.loss.landmark_arc, within(1, 180),
          "degrees from the first landmark to the last");
    field("landmark_middle", c.loss.landmark_middle, within(0.1, 0.9),
          "label in the middle of the arc: where labels of the side to move are above 0.5 on "
          "average, a higher one brings even positions to score 0");
    field("contrast_group", c.loss.contrast_group, within(0, 65536),
          "positions of a contrastive loss that meet one another, and the landmarks; 0: the whole "
          "batch");
    field("regression_weight", c.loss.regression_weight, within(0, 1000),
          "weight of the squared distance, along the axis of the landmarks, from the place of the "
          "own label; beside a contrastive loss");
}

template <class Config, class Field>
void visit_optimizer_fields(Config& c, Field&& field) {
    field("optimizer", c.optimizer.kind, anything(),
          "adamw, sgd or muon (transformers: adamw, with orthogonal steps of the matrices)");
    field("learning_rate", c.optimizer.learning_rate, within(1e-9, 10), "peak rate");
    field("schedule", c.optimizer.schedule, anything(),
          "cosine, step (a tenth after 60 % and 85 %) or constant");
    field("warmup", c.optimizer.warmup, within(0, 1), "share of the steps with a rising rate");
    field("final_rate", c.optimizer.final_rate, within(0, 1),
          "cosine: share of the peak rate at the end");
    field("weight_decay", c.optimizer.weight_decay, within(0, 10), "per unit of learning rate");
    field("momentum", c.optimizer.momentum, within(0, 0.9999),
          "of sgd and muon, and beta1 of adamw");
    field("beta2", c.optimizer.beta2, within(0, 0.99999), "of adamw");
    field("clip", c.optimizer.clip, within(0, 1e6), "largest gradient norm, 0 for none");
    field("average", c.optimizer.average, within(0, 0.99999),
          "decay of the averaged weights, 0 for none");
}

template <class Config, class Field>
void visit_run_fields(Config& c, Field&& field) {
    field("batch", c.run.batch, within(8, 65536), "positions per step");
    // Who finds that there is more time, or less, moves the end of a run, and the learning rate
    // follows.
    field("steps", c.run.steps, within(0, 1e9).changeable(), "length of the run; 0: from epochs");
    field("epochs", c.run.epochs, within(0, 1e6), "length of the run when steps is 0");
    field("seed", c.run.seed, anything(), "of weights and order");
    field("threads", c.run.threads, within(0, 1024).changeable(),
          "0: one per core; any number gives the same run");
    field("precision", c.run.precision, anything().changeable(),
          "transformer, native backend: products of float or of bf16, about 1.6 times as fast on "
          "machines made for it; auto: bf16 on such machines, and what it was when a run is "
          "resumed");
    field("backend", c.run.backend, anything().changeable(),
          "transformer: native, or torch where it was built in");
    field("device", c.run.device, anything().changeable(),
          "backend = torch: cpu, cuda or one of several, as cuda:1");
    field("validate_every", c.validation.every, within(0, 1e9).changeable(),
          "steps between validations, 0 for the end only");
    field("validation_positions", c.validation.positions, within(0, 1e7).changeable(),
          "held-out positions");
    field("validation_moves", c.validation.moves, within(0, 1e6).changeable(),
          "held-out positions whose moves are ranked");
    field("checkpoint_seconds", c.run.checkpoint_seconds, within(0, 86400).changeable(),
          "time between checkpoints");
}

template <class Config, class Field>
void visit_fields(Config& config, Field&& field) {
    visit_data_fields(config, field);
    visit_encoder_fields(config, field);
    visit_loss_fields(config, field);
    visit_optimizer_fields(config, field);
    visit_run_fields(config, field);
}

// The value of a field as TOML has it.
[[nodiscard]] std::string toml_text(const std::string& value);
[[nodiscard]] std::string toml_text(bool value);
[[nodiscard]] std::string toml_text(std::int64_t value);
[[nodiscard]] std::string toml_text(double value);
[[nodiscard]] std::string toml_text(const std::vector<std::string>& value);
template <class E>
requires std::is_enum_v<E>
[[nodiscard]] std::string toml_text(E value) { return toml_text(std::string(choice_name(value))); }

// "loss = "magic" is unknown", and what is known.
template <class E>
[[nodiscard]] Error unknown_choice(std::string_view key, std::string_view value) {
    return {fmt::format("{} = \"{}\" is unknown", key, value),
            fmt::format("known are: {}", choice_list<E>())};
}

}  // namespace solis::train
