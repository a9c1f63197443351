// Children of positions from random games, embedded in floats and in integers.
#include "solis/cli/bench/transformer_siblings.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solis/base/rng.h"
#include "solis/chess/random_positions.h"
#include "solis/nn/kernels/vector_kernels.h"

namespace solis::cli {
namespace {

constexpr std::size_t kMaxChildren = 256;
constexpr int kPliesBetween = 7;  // so that parents differ

// The tokens of all children of `parent`, one after another.
std::vector<std::uint8_t> tokens_of_children(const chess::Position& parent,
                                             data::Tokenizer tokenizer) {
    std::vector<std::uint8_t> tokens;
    for (const chess::Move move : chess::legal_moves(parent)) {
        const data::Tokens own = data::tokenize(parent.after(move), tokenizer);
        tokens.insert(tokens.end(), own.begin(), own.end());
    }
    return tokens;
}

void add_siblings(std::span<const float> exact, std::span<const float> scores, SiblingOrder& sum) {
    for (std::size_t i = 0; i < exact.size(); ++i) {
        sum.largest_difference =
            std::max(sum.largest_difference, static_cast<double>(std::abs(exact[i] - scores[i])));
        for (std::size_t j = 0; j < i; ++j) {
            if (exact[i] == exact[j]) continue;
            ++sum.pairs;
            sum.in_order +=
                scores[i] != scores[j] && (exact[i] < exact[j]) == (scores[i] < scores[j]);
        }
    }
    const auto best = [](std::span<const float> of) {
        return std::max_element(of.begin(), of.end()) - of.begin();
    };
    ++sum.parents;
    sum.same_best += best(exact) == best(scores);
}

}  // namespace

SiblingOrder compare_siblings(const nn::PackedTransformer& floats,
                              const nn::PackedTransformer& integers, data::Tokenizer tokenizer,
                              std::span<const float> axis, std::size_t parents) {
    const std::size_t dims = axis.size();
    nn::TransformerSlice slice(floats.shape(), kMaxChildren, false);
    std::vector<float> z(kMaxChildren * dims), own(z.size()), exact, scores;
    SiblingOrder sum;
    Rng rng(Seed{3});
    chess::RandomWalk walk(rng);
    while (sum.parents < parents) {
        for (int ply = 1; ply < kPliesBetween; ++ply) (void)walk.next();
        const chess::Position& parent = walk.next();
        const std::vector<std::uint8_t> tokens = tokens_of_children(parent, tokenizer);
        const std::size_t count = tokens.size() / data::kTokenCount;
        if (count < 2) continue;
        slice.forward(floats, tokens, {}, 0, std::span(z).first(count * dims));
        slice.forward(integers, tokens, {}, 0, std::span(own).first(count * dims));
        exact.resize(count);
        scores.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto a = std::span(z).subspan(i * dims, dims);
            const auto b = std::span(own).subspan(i * dims, dims);
            exact[i] = nn::dot(a, axis);
            scores[i] = nn::dot(b, axis);
            const auto cosine = static_cast<double>(nn::dot(a, b));
            sum.least_cosine = std::min(sum.least_cosine, cosine);
            sum.mean_cosine += cosine;
        }
        sum.positions += count;
        add_siblings(exact, scores, sum);
    }
    sum.mean_cosine /= static_cast<double>(sum.positions);
    return sum;
}

}  // namespace solis::cli
