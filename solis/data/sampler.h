// Streams shuffled items from stores that need not fit into memory. The order depends on the seed
// alone, never on thread timing, and a stream goes on exactly where a saved state left it.
//
// Opening reads the stores once. This survey decides, for every item, whether it passes the filters
// and, if items are to be unique, whether it is the first with its position; one bit per item is
// kept. So what an epoch consists of does not depend on the order it is drawn in, and a state needs
// no memory of what was drawn.
//
// With a teacher the stores give games, and labels are made when a pool is filled. The survey then
// notes, one bit for each, which positions of the lines are the first of their kind; these are
// drawn in every epoch, and random children of theirs, other ones in every epoch, which are not
// compared with anything. Scores are known only then, so a filter by score (SampleFilter) is, and
// how many items an epoch has is an estimate: some hundred games are labelled in the survey.
//
// An epoch takes the blocks in random order, fills a pool with the items of several of them,
// shuffles the pool and gives it out, while the next pool is being filled in the background.
#pragma once
#include <filesystem>
#include <future>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/data/game_labels.h"
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
    // If there is one, it labels what is drawn, and what the stores say of it is ignored. Sibling
    // sets then need a filter with min_children of at least 2.
    std::shared_ptr<const Teacher> teacher{};
    ChildOptions children{.per_position = 1, .two_ply_share = 0};  // with a teacher
    std::size_t teacher_threads = 1;  // that fill a pool; 0: one per core
};

// Where a stream is. Plain numbers, for checkpoints.
struct SamplerState {
    std::uint64_t epoch = 0;
    std::uint64_t pool = 0;         // within the epoch
    std::uint64_t offset = 0;       // within the pool
    std::uint64_t fingerprint = 0;  // of data and options: a state fits no other stream
    std::uint64_t teacher = 0;      // its fingerprint, 0 without one

    friend bool operator==(const SamplerState&, const SamplerState&) = default;
};

template <class Item>
class SamplerSurvey;

template <class Item>
class BasicSampler {
  public:
    BasicSampler(BasicSampler&&) noexcept = default;
    BasicSampler& operator=(BasicSampler&&) noexcept = default;
    // A pool that is being filled is given up.
    ~BasicSampler() { stop_.request_stop(); }

    // Fails if a store cannot be opened, is damaged (unless that is to be skipped), or no item is
    // left.
    [[nodiscard]] static Result<BasicSampler> open(const std::vector<std::filesystem::path>& stores,
                                                   const SamplerOptions& options);

    // Fills all of `out`, going on to the next epoch where one ends.
    [[nodiscard]] Result<void> next(std::span<Item> out);
    [[nodiscard]] SamplerState state() const;
    // Goes to where state() was taken. Fails if it comes from other data or options.
    [[nodiscard]] Result<void> restore(const SamplerState& state);

    // Items in one epoch. With a teacher: about, from a sample of the games, and exactly those of
    // the first epoch where all games fit into the sample (GameSample::kMost).
    [[nodiscard]] std::uint64_t size() const;
    // How many of them each store has, in the order in which the stores were named.
    [[nodiscard]] const std::vector<std::uint64_t>& items_of_stores() const;
    // Items that were left out because their position came before; with a teacher, positions of
    // the lines.
    [[nodiscard]] std::uint64_t duplicates() const;
    // Blocks that could not be read and are left out.
    [[nodiscard]] const ImportReport& report() const;

  private:
    using Survey = SamplerSurvey<Item>;
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
                                                Cursor cursor, const std::stop_token& stop);
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
    std::stop_source stop_;  // of what was requested
    std::future<std::unique_ptr<Result<Pool>>> requested_;
};

using PositionSampler = BasicSampler<Sample>;
using SiblingSampler = BasicSampler<SiblingSet>;

}  // namespace solis::data
