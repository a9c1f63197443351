// The net of Stockfish 15.1 behind quiescence, as a teacher that labels what is drawn.
#pragma once
#include <memory>
#include <string>

#include "solis/base/result.h"
#include "solis/data/game_labels.h"
#include "solis/model/nnue/teacher_net.h"

namespace solis::model {

// Its verdicts are the labels of `solis label --teacher` without plies.
[[nodiscard]] std::shared_ptr<const data::Teacher> make_teacher(
    std::shared_ptr<const TeacherNet> net);

}  // namespace solis::model
