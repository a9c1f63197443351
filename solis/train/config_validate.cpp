// Whether a training configuration makes sense: each field by its range, then what must go
// together.
#include <array>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/train/config_fields.h"

namespace solis::train {
namespace {

template <class T>
Result<void> check_range(std::string_view key, const T& value, const FieldRule& rule) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::int64_t>) {
        const auto number = static_cast<double>(value);
        // Written so that NaN is outside.
        if (!(number >= rule.low && number <= rule.high)) {
            return fail(fmt::format("{} = {} is outside {}..{}", key, value, rule.low, rule.high));
        }
    }
    return {};
}

Result<void> check_landmarks(const TrainConfig& c) {
    if (c.loss.landmarks == 1) {
        return fail("landmarks = 1: one alone has no place on an arc",
                    "landmarks = 0 or from 2 on");
    }
    if (c.loss.labels == LabelKind::MateDistance && c.loss.landmark_middle != 0.5) {
        return fail(fmt::format("landmark_middle = {} does not go with labels = \"{}\"",
                                c.loss.landmark_middle, choice_name(c.loss.labels)),
                    "a draw lies in the middle between mates: 0.5");
    }
    return {};
}

Result<void> check_backend(const TrainConfig& c) {
    if (c.run.backend == Backend::Torch && c.encoder.kind != EncoderKind::Transformer) {
        return fail(fmt::format("backend = \"torch\" trains transformers, not {}",
                                choice_name(c.encoder.kind)));
    }
    if (c.run.backend == Backend::Native && c.run.device != "cpu") {
        return fail(fmt::format("device = \"{}\" needs backend = \"torch\"", c.run.device));
    }
    return {};
}

// What only our own transformers can do.
Result<void> check_transformer_options(const TrainConfig& c) {
    const bool transformer = c.encoder.kind == EncoderKind::Transformer;
    if (c.optimizer.kind == nn::OptimizerKind::Muon && !transformer) {
        return fail(fmt::format("optimizer = \"muon\" is for transformers, not {}",
                                choice_name(c.encoder.kind)),
                    "optimizer = \"adamw\"");
    }
    const bool own = transformer && c.run.backend == Backend::Native;
    if (c.auxiliary.weight > 0 && !own) {
        return fail("auxiliary_loss is for encoder = \"transformer\" with backend = \"native\"",
                    "auxiliary_loss = 0");
    }
    if (c.auxiliary.weight > 0 && c.auxiliary.moves > 0 && c.auxiliary.teacher.empty()) {
        return fail("auxiliary_moves asks a model what moves gain, and there is none",
                    "auxiliary_teacher = \"default\", or auxiliary_moves = 0");
    }
    if (c.run.precision == PrecisionChoice::BFloat16 && !own) {
        return fail(
            fmt::format("precision = \"bf16\" needs encoder = \"transformer\" and backend = "
                        "\"native\", not \"{}\" and \"{}\"",
                        choice_name(c.encoder.kind), choice_name(c.run.backend)));
    }
    return {};
}

Result<void> check_stores(const TrainConfig& c) {
    if (c.data.stores.empty()) {
        return fail("no stores to train on",
                    "name one: solis train --stores FILE (make one with solis label)");
    }
    if (const std::string twice = first_named_twice(c.data.stores); !twice.empty()) {
        return fail(fmt::format("the store '{}' is named twice", twice), "name each store once");
    }
    return {};
}

Result<void> check_teacher(const TrainConfig& c) {
    if (c.data.teacher.empty()) return {};
    if (c.loss.batching == Batching::Siblings && c.data.teacher_children == 0) {
        return fail(
            "batching = \"siblings\" needs teacher_children: the played move is one of them",
            "teacher_children = 1");
    }
    if (c.loss.batching == Batching::Siblings && c.data.teacher_two_ply_share == 1) {
        return fail(
            "batching = \"siblings\" needs positions one move away: teacher_two_ply_share = 1 "
            "leaves none",
            "batching = \"exact\"");
    }
    if (c.loss.labels == LabelKind::MateDistance) {
        return fail("labels = \"mate_distance\" does not go with a teacher, which sees few mates",
                    "make endings with: solis data endings");
    }
    return {};
}

}  // namespace

Result<void> validate(const TrainConfig& config) {
    Result<void> status;
    visit_fields(config,
                 [&](std::string_view key, const auto& member, const FieldRule& rule, const char*) {
                     if (status) status = check_range(key, member, rule);
                 });
    if (!status) return status;
    for (const auto check :
         {check_landmarks, check_backend, check_transformer_options, check_stores, check_teacher}) {
        if (auto ok = check(config); !ok) return ok;
    }
    return {};
}

}  // namespace solis::train
