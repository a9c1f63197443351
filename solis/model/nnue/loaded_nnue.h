// A net of Stockfish 15.1 behind the seam, so that plans can play with it: the control that tells
// the worth of a plan from the worth of an encoder. It has no latent space.
#pragma once
#include <memory>
#include <string>

#include "solis/base/result.h"
#include "solis/model/evaluator.h"
#include "solis/model/nnue/teacher_net.h"

namespace solis::model {

// Where a score stands for an advantage in centipawns: nearly twice the win probability less one,
// as it is with trained encoders, so that the margins of plans fit; a small straight part keeps
// won positions apart.
[[nodiscard]] float nnue_score(int centipawns);

// Its evaluators score and do not embed (LoadedModel::embeds).
[[nodiscard]] std::shared_ptr<const LoadedModel> make_loaded_nnue(
    std::shared_ptr<const TeacherNet> net);

// Whether the file at `path` begins like a net; false where it cannot be read.
[[nodiscard]] bool is_nnue_file(const std::string& path);

}  // namespace solis::model
