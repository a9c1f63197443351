// Games to positions.
#include "data/formats/position_sink.h"

namespace solis::data {

Result<void> PositionSink::write_labelled(const LabelledPosition& labelled) {
    if (labelled.score.is_none()) {
        ++report_.unlabelled;
        return {};
    }
    ++report_.positions;
    if (needs_result() && labelled.result == GameResult::Unknown) ++report_.unknown_results;
    return write_position(labelled);
}

Result<void> PositionSink::write(const LabelledGame& game) {
    ++report_.games;
    LabelledPosition at{game.start, Score(), game.result};
    std::size_t next_branch = 0;
    for (const Ply& ply : game.line) {
        if (!ply.move.is_none()) at.position = at.position.after(ply.move);
        at.score = ply.score;
        if (auto ok = write_labelled(at); !ok) return ok;
        for (std::uint32_t i = 0; i < ply.branch_count; ++i) {
            const Branch& branch = game.branches[next_branch++];
            LabelledPosition child{at.position.after(branch.first), branch.score, game.result};
            if (!branch.second.is_none()) child.position = child.position.after(branch.second);
            if (auto ok = write_labelled(child); !ok) return ok;
        }
    }
    return {};
}

}  // namespace solis::data
