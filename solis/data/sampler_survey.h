// What a sampler knows of its stores after reading them once.
#pragma once
#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

#include "solis/base/thread_pool.h"
#include "solis/data/sampler.h"
#include "solis/data/store/key_filter.h"
#include "solis/data/store/reader.h"
#include "solis/data/taught_items.h"

namespace solis::data {

template <class Item>
class SamplerSurvey {
  public:
    struct Block {
        std::size_t file = 0;
        BlockEntry entry;
        std::uint64_t first_bit = 0;  // of its items in `wanted`
        std::uint64_t items = 0;      // of them wanted; with a teacher, about
    };

    SamplerOptions options;
    std::vector<Block> blocks;  // those with items
    std::uint64_t items = 0;
    std::vector<std::uint64_t> items_of_stores;
    std::uint64_t duplicates = 0;
    std::uint64_t fingerprint = 0;
    ImportReport report;

    [[nodiscard]] static Result<std::shared_ptr<const SamplerSurvey>> make(
        const std::vector<std::filesystem::path>& stores, const SamplerOptions& options);

    // The items of some blocks in one epoch. Fails where a block is no longer what it was, and
    // where a stop is requested.
    [[nodiscard]] Result<std::vector<Item>> load(const std::vector<std::size_t>& numbers,
                                                 std::uint64_t epoch,
                                                 const std::stop_token& stop) const;

  private:
    [[nodiscard]] bool has_split(const LabelledGame& game) const;
    // Notes damage, or makes it the error to stop with.
    [[nodiscard]] Result<void> meet(const StoreFile& file, const Damage& damage);
    [[nodiscard]] Result<void> add_block(std::size_t file, const BlockEntry& entry, KeyFilter& seen,
                                         std::vector<LabelledGame>& games);
    void add_labelled(const LabelledGame& game, KeyFilter& seen, Block& block);
    // For a teacher: notes which positions of the line are new.
    void add_moves(LabelledGame&& game, KeyFilter& seen, Block& block);
    // Labels the sample, and turns numbers of new positions into numbers of items.
    void estimate_items();
    void mix(std::uint64_t key, const Score& score);
    // Moves the games of the split out of `games`.
    [[nodiscard]] std::vector<UntaughtGame> untaught(std::vector<LabelledGame>& games,
                                                     std::uint64_t first_bit) const;

    std::vector<StoreFile> files_;
    // One bit per labelled item; with a teacher, one per position of a line.
    std::vector<bool> wanted_;
    GameSample sample_;  // with a teacher, until the survey is done
};

}  // namespace solis::data
