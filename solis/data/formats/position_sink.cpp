// Games to positions.
#include "solis/data/formats/position_sink.h"

#include "solis/data/position_walk.h"

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
    Result<void> outcome;
    walk_positions(game, [&](const chess::Position& position, const PositionLabel& label) {
        if (outcome) outcome = write_labelled({position, label.score, game.result});
    });
    return outcome;
}

}  // namespace solis::data
