// Everything that defines a training run, as plain structs. Keys, ranges and meanings of all fields
// are listed once, in config_fields.h; the TOML file, the command line and validation use that
// list.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/data/inputs/swift_features.h"
#include "solis/data/inputs/tokenizer.h"
#include "solis/data/store/game_hash.h"
#include "solis/data/store/reader.h"
#include "solis/nn/optimizer.h"
#include "solis/nn/swift/net.h"

namespace solis::train {

enum class EncoderKind : std::uint8_t { Swift, Transformer };

enum class LossKind : std::uint8_t {
    SupCon,
    Soft,
    RankN,
    Regression  // a control that is no contrastive loss
};

// How the positions of a batch are drawn.
enum class Batching : std::uint8_t {
    Exact,    // single positions, each with its own label
    Paper,    // anchors, and positives that carry the label of their anchor
    Siblings  // sets of positions after different moves from one position, each with its own label
};

// What the label of a position is.
enum class LabelKind : std::uint8_t {
    WinProbability,
    MateDistance  // for endings: the nearer a mate, the farther from a draw
};

enum class Schedule : std::uint8_t { Cosine, Step, Constant };
enum class PrecisionChoice : std::uint8_t { Auto, Float, BFloat16 };
enum class Backend : std::uint8_t { Native, Torch };

struct DataConfig {
    std::vector<std::string> stores;
    std::string teacher;  // a net that labels what is drawn, or ""
    std::int64_t teacher_children = 1;
    double teacher_two_ply_share = 0;
    double keep_decided = 1.0;
    double keep_branches = 1.0;
    double keep_unquiet = 1.0;
    bool skip_in_check = false;
    double max_disagreement = 1.0;
    double held_out = 0.02;
    bool skip_damaged = false;

    friend bool operator==(const DataConfig&, const DataConfig&) = default;
};

struct EncoderConfig {
    EncoderKind kind = EncoderKind::Swift;
    data::SwiftFeatureSet features = data::SwiftFeatureSet::Threats;
    nn::SwiftActivation activation = nn::SwiftActivation::Squared;
    std::int64_t accumulators = 256;
    std::int64_t dims = 64;
    std::int64_t buckets = 1;
    std::int64_t tail = 0;
    data::Tokenizer tokenizer = data::Tokenizer::Deepmind;
    std::int64_t heads = 8;
    std::int64_t mlp = 256;
    std::int64_t layers = 6;
    double dropout = 0.0;
    std::string start_from;

    friend bool operator==(const EncoderConfig&, const EncoderConfig&) = default;
};

struct LossConfig {
    LossKind kind = LossKind::SupCon;
    Batching batching = Batching::Exact;
    double temperature = 0.07;
    double margin = 0.05;
    LabelKind labels = LabelKind::WinProbability;
    std::int64_t positives = 5;
    std::int64_t landmarks = 0;
    double landmark_arc = 150;  // degrees
    double landmark_middle = 0.5;
    std::int64_t contrast_group = 0;
    double regression_weight = 0;

    friend bool operator==(const LossConfig&, const LossConfig&) = default;
};

// The loss of every square beside that of the embedding (nn/auxiliary_loss.h).
struct AuxiliaryConfig {
    double weight = 0;
    std::string teacher;  // a model
    double moves = 0;     // weight of the questions about moves beside the others

    friend bool operator==(const AuxiliaryConfig&, const AuxiliaryConfig&) = default;
};

struct OptimizerSettings {
    nn::OptimizerKind kind = nn::OptimizerKind::AdamW;
    double learning_rate = 1e-3;
    Schedule schedule = Schedule::Cosine;
    double warmup = 0.02;
    double final_rate = 0.02;
    double weight_decay = 0.1;
    double momentum = 0.9;
    double beta2 = 0.999;
    double clip = 0.0;
    double average = 0.0;

    friend bool operator==(const OptimizerSettings&, const OptimizerSettings&) = default;
};

struct RunConfig {
    std::int64_t batch = 1024;
    std::int64_t steps = 0;
    double epochs = 2.0;
    std::int64_t seed = 1;
    std::int64_t threads = 0;
    PrecisionChoice precision = PrecisionChoice::Auto;
    Backend backend = Backend::Native;
    std::string device = "cpu";
    double checkpoint_seconds = 60;

    friend bool operator==(const RunConfig&, const RunConfig&) = default;
};

struct ValidationConfig {
    std::int64_t every = 2000;
    std::int64_t positions = 20000;
    std::int64_t moves = 2000;

    friend bool operator==(const ValidationConfig&, const ValidationConfig&) = default;
};

struct TrainConfig {
    DataConfig data;
    EncoderConfig encoder;
    LossConfig loss;
    AuxiliaryConfig auxiliary;
    OptimizerSettings optimizer;
    RunConfig run;
    ValidationConfig validation;

    friend bool operator==(const TrainConfig&, const TrainConfig&) = default;
};

// How the config's stores are split, by game. Training and validation must agree on it.
[[nodiscard]] data::SplitShares split_shares(const TrainConfig& config);

// What happens where a store is damaged.
[[nodiscard]] data::OnDamage on_damage(const TrainConfig& config);

// Named starting points: "swift", "swift-quick", "endings", "mini-paper", "mini-cpu", "base-paper".
[[nodiscard]] Result<TrainConfig> preset(std::string_view name);
[[nodiscard]] std::vector<std::string_view> preset_names();

// `teacher` was once the name of what is now `auxiliary_teacher`. To be called where the first was
// given and the second was not: what can only be meant for the latter goes there.
void read_old_teacher(TrainConfig& config);

// Fields in the text replace those of `base`. Unknown keys and wrong types are errors that name
// the line. Keys and values of older versions are read under their new names. A key that is no
// longer used is left out; where it asked for something that is no longer done, `notes` says so.
[[nodiscard]] Result<TrainConfig> parse_config(std::string_view toml, const TrainConfig& base,
                                               std::vector<std::string>* notes = nullptr);
// Every field with its meaning as a comment; parse_config reads it back.
[[nodiscard]] std::string to_toml(const TrainConfig& config);
// The error names the field, what it is and what it may be.
[[nodiscard]] Result<void> validate(const TrainConfig& config);

}  // namespace solis::train
