// One request after the other: nobody is waited for.
#include "solis/lab/label/teacher_batch.h"

namespace solis::lab {

Result<void> run_teacher_batch(model::TeacherSearch& teacher, std::span<LabelTask> tasks,
                               const std::stop_token& stop, BatchStats& stats) {
    const std::uint64_t nodes_before = teacher.nodes();
    for (LabelTask& task : tasks) {
        while (!task.requests().empty()) {
            if (stop.stop_requested()) return fail("stopped");
            const SearchRequest request = task.requests().front();
            task.requests().pop_front();
            const model::TeacherVerdict verdict = teacher.judge(request.position);
            task.answer(request, verdict.score, verdict.best);
            ++stats.searches;
        }
    }
    stats.nodes += teacher.nodes() - nodes_before;
    return {};
}

}  // namespace solis::lab
