// Everything that defines a training run. One list of fields serves the TOML file, the command
// line, the effective config written beside a run, and validation.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/data/store/game_hash.h"

namespace solis::train {

struct TrainConfig {
    // What is trained on.
    std::vector<std::string> stores;
    double keep_branches = 1.0;
    bool skip_in_check = false;
    double max_disagreement = 1.0;
    double held_out = 0.02;

    // The encoder.
    std::string encoder = "swift";
    std::string features = "threats";
    std::string activation = "squared";
    std::int64_t accumulators = 256;
    std::int64_t dims = 64;
    std::int64_t buckets = 1;
    std::string tokenizer = "deepmind";
    std::int64_t heads = 8;
    std::int64_t mlp = 256;
    std::int64_t layers = 6;
    double dropout = 0.0;
    std::string start_from;

    // The loss.
    std::string loss = "supcon";
    std::string views = "exact";
    double temperature = 0.07;
    double margin = 0.05;
    std::string labels = "chance";
    std::int64_t positives = 5;
    double lessons = 0;
    std::string teacher;
    std::int64_t landmarks = 0;
    double landmark_arc = 150;
    double landmark_middle = 0.5;

    // The optimiser.
    std::string optimizer = "adamw";
    double learning_rate = 1e-3;
    std::string schedule = "cosine";
    double warmup = 0.02;
    double final_rate = 0.02;
    double weight_decay = 0.1;
    double momentum = 0.9;
    double beta2 = 0.999;
    double clip = 0.0;
    double average = 0.0;

    // The run.
    std::int64_t batch = 1024;
    std::int64_t steps = 0;
    double epochs = 2.0;
    std::int64_t seed = 1;
    std::int64_t threads = 0;
    std::string precision = "auto";
    std::string backend = "native";
    std::string device = "cpu";
    std::int64_t validate_every = 2000;
    std::int64_t validation_positions = 20000;
    std::int64_t validation_moves = 2000;
    double checkpoint_seconds = 60;

    friend bool operator==(const TrainConfig&, const TrainConfig&) = default;

    // Calls field(key, member, what it means) for every field, in the order of the file.
    template <class Config, class Field>
    static void visit(Config& c, Field&& field) {
        field("stores", c.stores, "store files with labelled positions");
        field("keep_branches", c.keep_branches, "share of side branches used, 0..1");
        field("skip_in_check", c.skip_in_check, "leave out positions in check");
        field("max_disagreement", c.max_disagreement,
              "leave out positions whose second look differs by more in win probability");
        field("held_out", c.held_out,
              "share of the games for validation; as many again are left for tests");
        field("encoder", c.encoder, "swift or transformer");
        field("features", c.features, "swift inputs: pieces, threats or relations");
        field("activation", c.activation, "swift: squared or pairs");
        field("accumulators", c.accumulators, "swift: width per view, a multiple of 64");
        field("dims", c.dims, "dimensions of the embedding");
        field("buckets", c.buckets, "swift: output layers, by number of pieces");
        field("tokenizer", c.tokenizer, "transformer: deepmind or reference");
        field("heads", c.heads, "transformer: attention heads");
        field("mlp", c.mlp, "transformer: width of the inner layer");
        field("layers", c.layers, "transformer: layers");
        field("dropout", c.dropout, "transformer: share of activations dropped in training");
        field("start_from", c.start_from,
              "model of the same kind and size whose weights the run starts with; \"\": random");
        field("loss", c.loss, "supcon, soft, rnc or regression (a control)");
        field("views", c.views,
              "exact: every sample has its own label; paper: anchors lend theirs to positives; "
              "siblings: exact, in sets of moves from one position");
        field("temperature", c.temperature, "tau");
        field("margin", c.margin, "delta: labels closer than this attract");
        field("labels", c.labels,
              "chance: the win probability; distance: for endings, the nearer a mate the farther "
              "from a draw");
        field("positives", c.positives, "views = paper: positives drawn for each anchor");
        field("lessons", c.lessons,
              "transformer: weight of what every square is taught beside the loss: which pieces "
              "attack it, and what its piece is worth to the teacher; 0: nothing");
        field("teacher", c.teacher,
              "model that says in lessons what pieces are worth; default: the embedded one, \"\": "
              "none, attacks only");
        field("landmarks", c.landmarks,
              "fixed points that join every batch of a contrastive loss, 0 for none (the paper)");
        field("landmark_arc", c.landmark_arc, "degrees from the first landmark to the last");
        field("landmark_middle", c.landmark_middle,
              "label in the middle of the arc: where labels of the side to move are above 0.5 on "
              "average, a higher one brings even positions to score 0");
        field("optimizer", c.optimizer,
              "adamw, sgd or muon (transformers: adamw, with orthogonal steps of the matrices)");
        field("learning_rate", c.learning_rate, "peak rate");
        field("schedule", c.schedule, "cosine, step (a tenth after 60 % and 85 %) or constant");
        field("warmup", c.warmup, "share of the steps with a rising rate");
        field("final_rate", c.final_rate, "cosine: share of the peak rate at the end");
        field("weight_decay", c.weight_decay, "per unit of learning rate");
        field("momentum", c.momentum, "of sgd and muon, and beta1 of adamw");
        field("beta2", c.beta2, "of adamw");
        field("clip", c.clip, "largest gradient norm, 0 for none");
        field("average", c.average, "decay of the averaged weights, 0 for none");
        field("batch", c.batch, "positions per step");
        field("steps", c.steps, "length of the run; 0: from epochs");
        field("epochs", c.epochs, "length of the run when steps is 0");
        field("seed", c.seed, "of weights and order");
        field("threads", c.threads, "0: one per core; any number gives the same run");
        field("precision", c.precision,
              "transformer, native backend: products of float or of bf16, about 1.6 times as fast "
              "on machines made for it; auto: bf16 on such machines, and what it was when a run "
              "is resumed");
        field("backend", c.backend, "transformer: native, or torch where it was built in");
        field("device", c.device, "backend = torch: cpu, cuda or one of several, as cuda:1");
        field("validate_every", c.validate_every, "steps between validations, 0 for the end only");
        field("validation_positions", c.validation_positions, "held-out positions");
        field("validation_moves", c.validation_moves, "held-out positions whose moves are ranked");
        field("checkpoint_seconds", c.checkpoint_seconds, "time between checkpoints");
    }
};

// How the config's stores are split, by game. Training and validation must agree on it.
[[nodiscard]] data::SplitShares split_shares(const TrainConfig& config);

// Named starting points: "swift", "swift-quick", "endings", "mini-paper", "mini-cpu", "base-paper".
[[nodiscard]] Result<TrainConfig> preset(std::string_view name);
[[nodiscard]] std::vector<std::string_view> preset_names();

// Fields in the text replace those of `base`. Unknown keys and wrong types are errors that name
// the line.
[[nodiscard]] Result<TrainConfig> parse_config(std::string_view toml, const TrainConfig& base);
// Every field with its meaning as a comment; parse_config reads it back.
[[nodiscard]] std::string to_toml(const TrainConfig& config);
// The error names the field, what it is and what it may be.
[[nodiscard]] Result<void> validate(const TrainConfig& config);

}  // namespace solis::train
