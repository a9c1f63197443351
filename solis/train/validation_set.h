// Held-out positions to measure an encoder on, with what is asked about them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solis/chess/position.h"
#include "solis/data/game_source.h"
#include "solis/data/position_walk.h"
#include "solis/data/store/game_hash.h"
#include "solis/train/config.h"

namespace solis::train {

// A position whose best move is known: its children, and which of them the move leads to.
struct MoveQuestion {
    std::vector<chess::Position> children;
    std::size_t best = 0;
};

// Positions after different moves from one position, with their labels: which is better?
struct SiblingQuestion {
    std::vector<chess::Position> children;
    std::vector<float> labels;  // win probability of the side to move in the child
};

struct ValidationSet {
    std::vector<chess::Position> positions;
    std::vector<float> labels;  // win probability of the side to move
    // What the run trains for, which the order of the scores is compared with: the labels
    // themselves, or where the config says so, distances.
    std::vector<float> aims;
    std::vector<int> centipawns;      // the labels as they came, for the side to move
    std::vector<std::uint8_t> quiet;  // 1: not in check, and nothing can be captured
    std::vector<data::PositionKind> kinds;
    std::vector<MoveQuestion> questions;
    std::vector<SiblingQuestion> siblings;
    data::ImportReport skipped;  // damage in the stores that was left out

    // From the validation split of the config's stores, or from all of them where they hold
    // nothing that was trained on. The config's teacher labels them, where it has one, with the
    // same children in every run. A move counts as best where the engine played it and thought the
    // position no worse after it.
    [[nodiscard]] static Result<ValidationSet> load(
        const TrainConfig& config, std::optional<data::Split> split = data::Split::Validation);
    // From games of any origin, in one pass: every labelled position is as likely to be taken.
    [[nodiscard]] static Result<ValidationSet> draw(data::GameSource& games,
                                                    const TrainConfig& config);
    // The positions with these numbers, without anything that is asked about moves.
    [[nodiscard]] ValidationSet only(std::span<const std::size_t> numbers) const;
};

}  // namespace solis::train
