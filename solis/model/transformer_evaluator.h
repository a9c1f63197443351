// Scores positions with the transformer: siblings in one batch, positions seen before from a cache.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "solis/base/thread_pool.h"
#include "solis/base/zeroed_pages.h"
#include "solis/chess/position.h"
#include "solis/data/inputs/tokenizer.h"
#include "solis/nn/transformer/net.h"

namespace solis::model {

// Not thread-safe: one per thread. The network itself is shared.
class TransformerEvaluator {
  public:
    // `axis` has the network's dimension and length 1. Both must outlive the evaluator.
    TransformerEvaluator(const nn::PackedTransformer& net, data::Tokenizer tokenizer,
                         std::span<const float> axis);

    // <z, axis> of each position, in White's view.
    void score(std::span<const chess::Position> positions, std::span<float> scores);
    // Shares the positions of each batch among so many threads.
    void use_threads(std::size_t threads);
    // z: positions x dims.
    void embed(std::span<const chess::Position> positions, std::span<float> z);

  private:
    // The cache is keyed by all that the encoder sees: the tokens contain both counters.
    // Zeros are an entry that is not used.
    struct Entry {
        data::Tokens tokens;
        bool used;
        float score;
    };
    [[nodiscard]] Entry& entry_of(const data::Tokens& tokens);
    [[nodiscard]] std::size_t largest_batch() const;
    // Embeds the tokens in batch_ into z, which has room for just them.
    void embed_batch(std::span<float> z);
    void score_missing(std::span<float> scores);

    const nn::PackedTransformer& net_;
    data::Tokenizer tokenizer_;
    std::span<const float> axis_;
    std::unique_ptr<ThreadPool> pool_;
    std::vector<std::unique_ptr<nn::TransformerSlice>> slices_;  // one per thread
    ZeroedPages cache_;                                          // entries
    std::vector<std::uint8_t> batch_;  // tokens of positions that the cache does not have
    std::vector<std::size_t> missing_;
    std::vector<float> z_;
};

}  // namespace solis::model
