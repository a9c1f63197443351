// Labels games with the teacher inside this process.
#pragma once
#include <span>
#include <stop_token>

#include "solis/base/result.h"
#include "solis/lab/label/label_batch.h"
#include "solis/lab/label/label_task.h"
#include "solis/model/nnue/teacher_search.h"

namespace solis::lab {

// Runs the tasks to their end, one after the other, and adds to `stats`, also where it is stopped.
[[nodiscard]] Result<void> run_teacher_batch(model::TeacherSearch& teacher,
                                             std::span<LabelTask> tasks,
                                             const std::stop_token& stop, BatchStats& stats);

}  // namespace solis::lab
