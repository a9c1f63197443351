// The advantage axis: the direction in the embedding space from "Black wins" to "White wins".
#pragma once
#include <span>
#include <vector>

#include "solis/base/result.h"

namespace solis::model {

// Embeddings are unit vectors in White's view. Made by the functions below, which keep the three
// vectors consistent.
struct AdvantageAxis {
    std::vector<float> mu_white;   // mean embedding of positions that White wins
    std::vector<float> mu_black;   // mean embedding of positions that Black wins
    std::vector<float> direction;  // of length 1, from mu_black to mu_white

    [[nodiscard]] std::size_t dims() const { return direction.size(); }
    // <z, direction>. What calibration and planners use.
    [[nodiscard]] float score(std::span<const float> z) const;
    // <z - mu_black, direction>: the same order, 0 at mu_black.
    [[nodiscard]] float anchored_score(std::span<const float> z) const;
    // z - 2 <z, direction> direction: the embedding as the other side sees it.
    void reflect(std::span<float> z) const;

    friend bool operator==(const AdvantageAxis&, const AdvantageAxis&) = default;
};

// Refuses means of different or no length, with values that are not finite, that are longer than
// a mean of unit vectors can be, or that lie too close together to give a direction.
[[nodiscard]] Result<AdvantageAxis> axis_from_means(std::vector<float> mu_white,
                                                    std::vector<float> mu_black);

// For an encoder that sees the board from the side to move: the means of the mover's embeddings
// over positions that the mover wins and loses. White's view of a position with Black to move is
// the reflected embedding, so each mean in White's view is half a direct and half a reflected one,
// and the two are each other's reflection.
[[nodiscard]] Result<AdvantageAxis> axis_from_mover_means(std::span<const float> mover_wins,
                                                          std::span<const float> mover_loses);

}  // namespace solis::model
