// Training configuration: presets, TOML, validation.
#include "solis/train/config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>

// Header-only, because the packaged library is built with exceptions.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#include <fmt/format.h>
#include <toml++/toml.h>

#include "solis/base/file.h"

namespace solis::train {
namespace {

std::string toml_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            out += fmt::format("\\u{:04X}", static_cast<int>(c));
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string value_text(const std::string& value) { return toml_string(value); }
std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(std::int64_t value) { return std::to_string(value); }
std::string value_text(double value) {
    // TOML wants a point or an exponent in a float.
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}
std::string value_text(const std::vector<std::string>& value) {
    std::string text = "[";
    for (std::size_t i = 0; i < value.size(); ++i)
        text += (i > 0 ? ", " : "") + toml_string(value[i]);
    return text + "]";
}

// One field from its TOML node; false where the type does not fit. Whole numbers are fine for
// fractions.
bool take(const toml::node& node, std::vector<std::string>& field) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return false;
    std::vector<std::string> values;
    for (const toml::node& item : *array) {
        const auto text = item.value_exact<std::string>();
        if (!text) return false;
        values.push_back(*text);
    }
    field = std::move(values);
    return true;
}
bool take(const toml::node& node, double& field) {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (value) field = *value;
    return value.has_value();
}
template <class T>
bool take(const toml::node& node, T& field) {
    const auto value = node.value_exact<T>();
    if (value) field = *value;
    return value.has_value();
}

Result<void> one_of(std::string_view key, std::string_view value,
                    std::initializer_list<std::string_view> known) {
    if (std::find(known.begin(), known.end(), value) != known.end()) return {};
    return fail(fmt::format("{} = \"{}\" is unknown", key, value),
                fmt::format("known are: {}", fmt::join(known, ", ")));
}

Result<void> in_range(std::string_view key, double value, double low, double high) {
    if (value >= low && value <= high) return {};
    return fail(fmt::format("{} = {} is outside {}..{}", key, value, low, high));
}

// As the paper has it: 128 anchors with five positives each, plain SGD at a constant rate.
TrainConfig paper_recipe(bool base) {
    TrainConfig config;
    config.encoder = "transformer";
    config.dims = base ? 1024 : 128;
    config.heads = base ? 16 : 8;
    config.mlp = base ? 1024 : 256;
    config.dropout = 0.1;
    config.views = "paper";
    config.positives = 5;
    config.batch = 128 * 6;
    config.optimizer = "sgd";
    config.learning_rate = 0.05;
    config.momentum = 0.9;
    config.weight_decay = 0;
    config.schedule = "constant";
    config.warmup = 0;
    config.steps = 400'000;
    config.precision = "float";
    return config;
}

}  // namespace

data::SplitShares split_shares(const TrainConfig& config) {
    const auto per_mille = static_cast<unsigned>(std::lround(1000 * config.held_out));
    return {per_mille, per_mille};
}

std::vector<std::string_view> preset_names() {
    return {"swift", "swift-quick", "endings", "mini-paper", "mini-cpu", "base-paper"};
}

Result<TrainConfig> preset(std::string_view name) {
    TrainConfig config;
    config.dims = 32;
    config.landmarks = 128;
    if (name == "swift") return config;
    if (name == "swift-quick") {
        config.accumulators = 128;
        config.epochs = 4;
        config.held_out = 0.1;  // stores made in minutes have few games
        config.validate_every = 500;
        return config;
    }
    if (name == "endings") {
        config.labels = "distance";
        config.learning_rate = 4e-3;
        config.steps = 16'000;
        config.margin = 0.02;
        config.accumulators = 128;
        config.dims = 16;
        config.weight_decay = 0.05;
        config.validation_moves = 0;  // many moves are equally good
        return config;
    }
    if (name == "mini-paper" || name == "base-paper") return paper_recipe(name == "base-paper");
    if (name == "mini-cpu") {
        config.encoder = "transformer";
        config.dims = 128;
        config.optimizer = "muon";
        config.learning_rate = 8e-3;
        config.warmup = 0.05;
        config.weight_decay = 0.05;
        config.clip = 1;
        // A position's value says little about where its pieces look: squares say more.
        config.lessons = 4;
        config.teacher = "default";
        // Landmarks stand for the rest of a large batch, and small ones make more steps.
        config.batch = 64;
        config.epochs = 1;
        config.validate_every = 2000;
        config.validation_positions = 5000;
        config.validation_moves = 200;
        return config;
    }
    return fail(fmt::format("unknown preset '{}'", name),
                fmt::format("known are: {}", fmt::join(preset_names(), ", ")));
}

Result<TrainConfig> parse_config(std::string_view text, const TrainConfig& base) {
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed) {
        return fail(fmt::format("config, line {}: {}", parsed.error().source().begin.line,
                                parsed.error().description()));
    }
    const toml::table& table = parsed.table();
    TrainConfig config = base;
    std::size_t known = 0;
    Result<void> status;
    TrainConfig::visit(config, [&](const char* key, auto& member, const char* meaning) {
        const toml::node* node = table.get(key);
        if (node == nullptr) return;
        ++known;
        if (!take(*node, member) && status) {
            status = fail(fmt::format("config, line {}: {} has the wrong type",
                                      node->source().begin.line, key),
                          fmt::format("{}: {}", key, meaning));
        }
    });
    if (!status) return tl::unexpected(status.error());
    if (known == table.size()) return config;
    for (const auto& entry : table) {
        const std::string_view key = entry.first.str();
        bool found = false;
        TrainConfig::visit(
            config, [&](const char* name, auto&, const char*) { found = found || key == name; });
        if (!found) {
            return fail(fmt::format("config, line {}: unknown key '{}'",
                                    entry.second.source().begin.line, key),
                        "solis train --print-config lists all keys");
        }
    }
    return config;
}

std::string to_toml(const TrainConfig& config) {
    std::string text;
    TrainConfig::visit(config, [&](const char* key, const auto& member, const char* meaning) {
        text += fmt::format("# {}\n{} = {}\n", meaning, key, value_text(member));
    });
    return text;
}

Result<void> validate(const TrainConfig& c) {
    const std::array checks{
        one_of("encoder", c.encoder, {"swift", "transformer"}),
        one_of("tokenizer", c.tokenizer, {"deepmind", "reference"}),
        one_of("features", c.features, {"pieces", "threats", "relations"}),
        one_of("activation", c.activation, {"squared", "pairs"}),
        one_of("loss", c.loss, {"supcon", "soft", "rnc", "regression"}),
        one_of("labels", c.labels, {"chance", "distance"}),
        one_of("views", c.views, {"exact", "paper", "siblings"}),
        one_of("optimizer", c.optimizer, {"adamw", "sgd", "muon"}),
        one_of("precision", c.precision, {"auto", "float", "bf16"}),
        one_of("backend", c.backend, {"native", "torch"}),
        one_of("schedule", c.schedule, {"cosine", "step", "constant"}),
        in_range("keep_branches", c.keep_branches, 0, 1),
        in_range("max_disagreement", c.max_disagreement, 0, 1),
        in_range("held_out", c.held_out, 0.001, 0.4),
        in_range("accumulators", static_cast<double>(c.accumulators), 64, 4096),
        in_range("dims", static_cast<double>(c.dims), 8, 1024),
        in_range("buckets", static_cast<double>(c.buckets), 1, 32),
        in_range("heads", static_cast<double>(c.heads), 1, 64),
        in_range("mlp", static_cast<double>(c.mlp), 16, 16384),
        in_range("layers", static_cast<double>(c.layers), 1, 64),
        in_range("dropout", c.dropout, 0, 0.9),
        in_range("temperature", c.temperature, 1e-3, 10),
        in_range("margin", c.margin, 1e-6, 1),
        in_range("positives", static_cast<double>(c.positives), 1, 64),
        in_range("lessons", c.lessons, 0, 1000),
        // One alone has no place on an arc.
        in_range("landmarks", static_cast<double>(c.landmarks), c.landmarks == 0 ? 0 : 2, 4096),
        in_range("landmark_arc", c.landmark_arc, 1, 180),
        in_range("landmark_middle", c.landmark_middle, 0.1, 0.9),
        in_range("learning_rate", c.learning_rate, 1e-9, 10),
        in_range("warmup", c.warmup, 0, 1),
        in_range("final_rate", c.final_rate, 0, 1),
        in_range("weight_decay", c.weight_decay, 0, 10),
        in_range("momentum", c.momentum, 0, 0.9999),
        in_range("beta2", c.beta2, 0, 0.99999),
        in_range("clip", c.clip, 0, 1e6),
        in_range("average", c.average, 0, 0.99999),
        in_range("batch", static_cast<double>(c.batch), 8, 65536),
        in_range("steps", static_cast<double>(c.steps), 0, 1e9),
        in_range("epochs", c.epochs, 0, 1e6),
        in_range("threads", static_cast<double>(c.threads), 0, 1024),
        in_range("validate_every", static_cast<double>(c.validate_every), 0, 1e9),
        in_range("validation_positions", static_cast<double>(c.validation_positions), 0, 1e7),
        in_range("validation_moves", static_cast<double>(c.validation_moves), 0, 1e6),
        in_range("checkpoint_seconds", c.checkpoint_seconds, 0, 86400),
    };
    for (const Result<void>& check : checks) {
        if (!check) return check;
    }
    if (c.backend == "torch" && c.encoder != "transformer") {
        return fail(fmt::format("backend = \"torch\" trains transformers, not {}", c.encoder));
    }
    if (c.backend == "native" && c.device != "cpu") {
        return fail(fmt::format("device = \"{}\" needs backend = \"torch\"", c.device));
    }
    if (c.labels == "distance" && c.landmark_middle != 0.5) {
        return fail(fmt::format("landmark_middle = {} does not go with labels = \"distance\"",
                                c.landmark_middle),
                    "a draw lies in the middle between mates: 0.5");
    }
    if (c.optimizer == "muon" && c.encoder != "transformer") {
        return fail(fmt::format("optimizer = \"muon\" is for transformers, not {}", c.encoder),
                    "optimizer = \"adamw\"");
    }
    if (c.lessons > 0 && (c.encoder != "transformer" || c.backend != "native")) {
        return fail("lessons are for encoder = \"transformer\" with backend = \"native\"",
                    "lessons = 0");
    }
    if (c.precision == "bf16" && (c.encoder != "transformer" || c.backend != "native")) {
        return fail(
            fmt::format("precision = \"bf16\" needs encoder = \"transformer\" and backend = "
                        "\"native\", not \"{}\" and \"{}\"",
                        c.encoder, c.backend));
    }
    if (c.stores.empty()) {
        return fail("no stores to train on",
                    "name one: solis train --stores FILE (make one with solis label)");
    }
    if (const std::string twice = first_named_twice(c.stores); !twice.empty()) {
        return fail(fmt::format("the store '{}' is named twice", twice), "name each store once");
    }
    return {};
}

}  // namespace solis::train
