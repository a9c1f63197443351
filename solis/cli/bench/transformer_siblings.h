// What integers do to the order in which a plan ranks children.
#pragma once
#include <cstddef>
#include <span>

#include "solis/data/inputs/tokenizer.h"
#include "solis/nn/transformer/net.h"

namespace solis::cli {

struct SiblingOrder {
    std::size_t positions = 0;
    std::size_t pairs = 0;     // of siblings that floats do not score alike
    std::size_t in_order = 0;  // those that integers score in the same order
    std::size_t parents = 0;
    std::size_t same_best = 0;  // parents whose best child is the same
    double least_cosine = 1, mean_cosine = 0;
    double largest_difference = 0;  // of scores

    [[nodiscard]] double share() const {
        return static_cast<double>(in_order) / static_cast<double>(pairs);
    }
};

// Over all children of `parents` positions from random games. Both networks have the same weights.
[[nodiscard]] SiblingOrder compare_siblings(const nn::PackedTransformer& floats,
                                            const nn::PackedTransformer& integers,
                                            data::Tokenizer tokenizer, std::span<const float> axis,
                                            std::size_t parents);

}  // namespace solis::cli
