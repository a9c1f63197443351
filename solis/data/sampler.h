// Streams shuffled items from stores that need not fit into memory. The order depends on the seed
// alone, never on thread timing, and a stream goes on exactly where a saved state left it.
//
// Opening reads the stores once. This survey decides, for every item, whether it passes the filters
// and, if items are to be unique, whether it is the first with its position; one bit per item is
// kept. So what an epoch consists of does not depend on the order it is drawn in, and a state needs
// no memory of what was drawn.
// An epoch takes the blocks in random order, fills a pool with the items of several of them,
// shuffles the pool and gives it out, while the next pool is being filled in the background.
#pragma once
#include <filesystem>
#include <future>
#include <memory>
#include <span>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/data/game_source.h"
#include "solis/data/sample.h"
#include "solis/data/store/game_hash.h"
#include "solis/data/store/reader.h"

namespace solis::data {

struct SamplerOptions {
    Seed seed{1};
    SampleFilter filter{};
    std::optional<Split> split{};
    SplitShares shares{};
    OnDamage on_damage = OnDamage::Stop;
    bool unique = true;  // each position (apart from its counters) once per epoch
    std::uint64_t unique_memory = std::uint64_t{1} << 30;  // bytes, during the survey (KeyFilter)
    // Items shuffled together, about 180 bytes each; twice that with prefetch.
    std::size_t pool_items = std::size_t{1} << 19;
    bool prefetch = true;
};

// Where a stream is. Plain numbers, for checkpoints.
struct SamplerState {
    std::uint64_t epoch = 0;
    std::uint64_t pool = 0;         // within the epoch
    std::uint64_t offset = 0;       // within the pool
    std::uint64_t fingerprint = 0;  // of data and options: a state fits no other stream

    friend bool operator==(const SamplerState&, const SamplerState&) = default;
};

template <class Item>
class BasicSampler {
  public:
    // Fails if a store cannot be opened, is damaged (unless that is to be skipped), or no item is
    // left.
    [[nodiscard]] static Result<BasicSampler> open(const std::vector<std::filesystem::path>& stores,
                                                   const SamplerOptions& options);

    // Fills all of `out`, going on to the next epoch where one ends.
    [[nodiscard]] Result<void> next(std::span<Item> out);
    [[nodiscard]] SamplerState state() const;
    // Goes to where state() was taken. Fails if it comes from other data or options.
    [[nodiscard]] Result<void> restore(const SamplerState& state);

    // Items in one epoch.
    [[nodiscard]] std::uint64_t size() const;
    // Items that were left out because their position came before.
    [[nodiscard]] std::uint64_t duplicates() const;
    // Blocks that could not be read and are left out.
    [[nodiscard]] const ImportReport& report() const;

  private:
    struct Survey;
    // One pool of one epoch.
    struct Cursor {
        std::uint64_t epoch = 0;
        std::uint64_t pool = 0;
        friend bool operator==(const Cursor&, const Cursor&) = default;
    };
    struct Pool {
        std::vector<Item> items;
        std::vector<std::uint32_t> order;  // of the items, shuffled: cheaper than to move them
    };
    using PoolPlan = std::vector<std::vector<std::size_t>>;  // blocks of each pool

    explicit BasicSampler(std::shared_ptr<const Survey> survey) : survey_(std::move(survey)) {}
    [[nodiscard]] static PoolPlan plan_epoch(const Survey& survey, std::uint64_t epoch);
    [[nodiscard]] static Result<Pool> load_pool(const Survey& survey,
                                                const std::vector<std::size_t>& blocks,
                                                Cursor cursor);
    // The plan of the cursor's epoch, made when it is first asked for.
    [[nodiscard]] const PoolPlan& plan(std::uint64_t epoch);
    [[nodiscard]] Cursor after(Cursor cursor);
    [[nodiscard]] Result<void> enter_pool(Cursor cursor);

    std::shared_ptr<const Survey> survey_;  // never changes, so a background thread may read it
    Cursor cursor_;
    std::size_t offset_ = 0;
    bool has_pool_ = false;  // whether pool_ is the cursor's
    Pool pool_;
    PoolPlan plan_;
    std::uint64_t planned_epoch_ = 0;
    Cursor requested_cursor_;
    std::future<std::unique_ptr<Result<Pool>>> requested_;
};

using PositionSampler = BasicSampler<Sample>;
using SiblingSampler = BasicSampler<SiblingSet>;

}  // namespace solis::data
