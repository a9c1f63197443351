// Transformer scores, with a direct-mapped cache.
#include "model/transformer_evaluator.h"

#include <algorithm>
#include <cstring>

#include "nn/vector_kernels.h"

namespace solis::model {
namespace {

// Positions go through the network one by one, only its last layer takes them together: more would
// take longer to set up, which every plan does, than it gains.
constexpr std::size_t kBatch = 8;
constexpr std::size_t kCacheEntries = std::size_t{1} << 16;  // 88 bytes each

std::uint64_t hash_of(const data::Tokens& tokens) {
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < tokens.size(); i += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, tokens.data() + i, std::min<std::size_t>(8, tokens.size() - i));
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash;
}

}  // namespace

TransformerEvaluator::TransformerEvaluator(const nn::PackedTransformer& net,
                                           data::Tokenizer tokenizer, std::span<const float> axis)
    : net_(net),
      tokenizer_(tokenizer),
      axis_(axis),
      slice_(net.shape(), kBatch, false),
      cache_(kCacheEntries * sizeof(Entry)),
      z_(kBatch * axis.size()) {}

TransformerEvaluator::Entry& TransformerEvaluator::entry_of(const data::Tokens& tokens) {
    return static_cast<Entry*>(cache_.data())[hash_of(tokens) % kCacheEntries];
}

void TransformerEvaluator::score(std::span<const chess::Position> positions,
                                 std::span<float> scores) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const data::Tokens tokens = data::tokenize(positions[i], tokenizer_);
        const Entry& entry = entry_of(tokens);
        if (entry.used && entry.tokens == tokens) {
            scores[i] = entry.score;
        } else {
            batch_.insert(batch_.end(), tokens.begin(), tokens.end());
            missing_.push_back(i);
            if (missing_.size() == kBatch) score_missing(scores);
        }
    }
    if (!missing_.empty()) score_missing(scores);
}

void TransformerEvaluator::score_missing(std::span<float> scores) {
    const std::size_t dims = axis_.size();
    slice_.forward(net_, batch_, {}, 0, std::span(z_).first(missing_.size() * dims));
    for (std::size_t i = 0; i < missing_.size(); ++i) {
        const float value = nn::dot(std::span(z_).subspan(i * dims, dims), axis_);
        scores[missing_[i]] = value;
        data::Tokens tokens;
        std::copy_n(batch_.begin() + static_cast<std::ptrdiff_t>(i * tokens.size()), tokens.size(),
                    tokens.begin());
        entry_of(tokens) = {tokens, true, value};
    }
    batch_.clear();
    missing_.clear();
}

void TransformerEvaluator::embed(std::span<const chess::Position> positions, std::span<float> z) {
    const std::size_t dims = axis_.size();
    for (std::size_t at = 0; at < positions.size(); at += kBatch) {
        const std::size_t count = std::min(kBatch, positions.size() - at);
        for (const chess::Position& position : positions.subspan(at, count)) {
            const data::Tokens tokens = data::tokenize(position, tokenizer_);
            batch_.insert(batch_.end(), tokens.begin(), tokens.end());
        }
        slice_.forward(net_, batch_, {}, 0, z.subspan(at * dims, count * dims));
        batch_.clear();
    }
}

}  // namespace solis::model
