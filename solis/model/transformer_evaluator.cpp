// Transformer scores, with a direct-mapped cache.
#include "solis/model/transformer_evaluator.h"

#include <algorithm>
#include <cstring>

#include "solis/nn/kernels/vector_kernels.h"

namespace solis::model {
namespace {

// Of each thread. Positions go through the network one by one, only its last layer takes them
// together: more would take longer to set up, which every plan does, than it gains.
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
    : net_(net), tokenizer_(tokenizer), axis_(axis), cache_(kCacheEntries * sizeof(Entry)) {
    use_threads(1);
}

void TransformerEvaluator::use_threads(std::size_t threads) {
    pool_ = std::make_unique<ThreadPool>(threads);
    slices_.clear();
    for (std::size_t i = 0; i < pool_->threads(); ++i) {
        slices_.push_back(std::make_unique<nn::TransformerSlice>(net_.shape(), kBatch, false));
    }
    z_.resize(largest_batch() * axis_.size());
}

std::size_t TransformerEvaluator::largest_batch() const { return kBatch * slices_.size(); }

void TransformerEvaluator::embed_batch(std::span<float> z) {
    const std::size_t count = batch_.size() / data::kTokenCount, dims = axis_.size();
    const std::size_t parts = std::min(count, slices_.size());
    pool_->run(parts, [&](std::size_t i) {
        const std::size_t begin = count * i / parts, end = count * (i + 1) / parts;
        const auto tokens =
            std::span(batch_).subspan(begin * data::kTokenCount, (end - begin) * data::kTokenCount);
        slices_[i]->forward(net_, tokens, {}, 0, z.subspan(begin * dims, (end - begin) * dims));
    });
}

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
            if (missing_.size() == largest_batch()) score_missing(scores);
        }
    }
    if (!missing_.empty()) score_missing(scores);
}

void TransformerEvaluator::score_missing(std::span<float> scores) {
    const std::size_t dims = axis_.size();
    embed_batch(std::span(z_).first(missing_.size() * dims));
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
    for (std::size_t at = 0; at < positions.size(); at += largest_batch()) {
        const std::size_t count = std::min(largest_batch(), positions.size() - at);
        for (const chess::Position& position : positions.subspan(at, count)) {
            const data::Tokens tokens = data::tokenize(position, tokenizer_);
            batch_.insert(batch_.end(), tokens.begin(), tokens.end());
        }
        embed_batch(z.subspan(at * dims, count * dims));
        batch_.clear();
    }
}

}  // namespace solis::model
