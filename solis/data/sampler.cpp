// Survey, pools and the cursor over them.
#include "solis/data/sampler.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "solis/data/store/key_filter.h"

namespace solis::data {
namespace {

constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15ULL;

Seed derived_seed(Seed seed, std::uint64_t epoch, std::uint64_t pool) {
    return {((seed.value + kMix * epoch) ^ pool << 32) * kMix + pool};
}

template <class T>
void shuffle(std::vector<T>& items, Seed seed) {
    Rng rng(seed);
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[rng.below(i)]);
}

}  // namespace

template <class Item>
struct BasicSampler<Item>::Survey {
    struct Block {
        std::size_t file = 0;
        BlockEntry entry;
        std::uint64_t first_bit = 0;  // of its items in `wanted`
        std::uint64_t items = 0;      // of them wanted
    };

    SamplerOptions options;
    std::vector<StoreFile> files;
    std::vector<Block> blocks;
    std::vector<bool> wanted;
    std::uint64_t items = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t fingerprint = 0;
    ImportReport report;

    [[nodiscard]] bool has_split(const LabelledGame& game) const {
        return !options.split || split_of(game, options.shares) == *options.split;
    }

    // Notes damage, or makes it the error to stop with.
    [[nodiscard]] Result<void> meet(const StoreFile& file, const Damage& damage) {
        if (options.on_damage == OnDamage::Stop) return tl::unexpected(file.damage_error(damage));
        report.add_damage(file.path().string(), to_text(damage), damage.games);
        return {};
    }

    [[nodiscard]] Result<void> add_block(std::size_t file, const BlockEntry& entry, KeyFilter& seen,
                                         std::vector<LabelledGame>& games) {
        ++report.rows;
        if (auto ok = files[file].read(entry, games); !ok) {
            return meet(files[file], files[file].damage_of(entry, ok.error()));
        }
        Block block{file, entry, wanted.size(), 0};
        for (const LabelledGame& game : games) {
            if (!has_split(game)) continue;
            Item scratch;
            visit_items(game, scratch, [&](const Item& item) {
                const bool is_wanted = wants(item, seen);
                wanted.push_back(is_wanted);
                block.items += is_wanted ? 1 : 0;
            });
        }
        items += block.items;
        if (block.items != 0) blocks.push_back(block);
        return {};
    }

    [[nodiscard]] bool wants(const Item& item, KeyFilter& seen) {
        if (!passes(options.filter, item)) return false;
        const std::uint64_t key = item.position.key();
        if (options.unique && !seen.insert(key)) {
            ++duplicates;
            return false;
        }
        fingerprint =
            (fingerprint ^ key) * kMix + static_cast<std::uint64_t>(item.label.score.value());
        return true;
    }
};

template <class Item>
Result<BasicSampler<Item>> BasicSampler<Item>::open(
    const std::vector<std::filesystem::path>& stores, const SamplerOptions& options) {
    auto survey = std::make_shared<Survey>();
    survey->options = options;
    std::uint64_t expected = 0;
    for (const std::filesystem::path& path : stores) {
        auto file = StoreFile::open(path);
        if (!file) return tl::unexpected(file.error());
        for (const Damage& damage : file->damage()) {
            if (auto ok = survey->meet(*file, damage); !ok) return tl::unexpected(ok.error());
        }
        for (const BlockEntry& entry : file->blocks()) expected += entry.positions;
        survey->files.push_back(std::move(*file));
    }
    KeyFilter seen(options.unique ? expected : 0, options.unique_memory);
    std::vector<LabelledGame> games;
    for (std::size_t file = 0; file < survey->files.size(); ++file) {
        for (const BlockEntry& entry : survey->files[file].blocks()) {
            auto ok = survey->add_block(file, entry, seen, games);
            if (!ok) return tl::unexpected(ok.error());
        }
    }
    if (survey->items == 0) {
        return fail("no position in the stores passes the filters",
                    "check the split and the filter with: solis data stats");
    }
    survey->fingerprint = (survey->fingerprint ^ options.seed.value) * kMix + options.pool_items;
    return BasicSampler(std::move(survey));
}

template <class Item>
auto BasicSampler<Item>::plan_epoch(const Survey& survey, std::uint64_t epoch) -> PoolPlan {
    std::vector<std::size_t> order(survey.blocks.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    constexpr std::uint64_t kBlockOrder = ~std::uint64_t{0};  // no pool has this number
    shuffle(order, derived_seed(survey.options.seed, epoch, kBlockOrder));
    PoolPlan plan;
    std::uint64_t filled = survey.options.pool_items;
    for (const std::size_t block : order) {
        if (filled >= survey.options.pool_items) {
            plan.emplace_back();
            filled = 0;
        }
        plan.back().push_back(block);
        filled += survey.blocks[block].items;
    }
    return plan;
}

template <class Item>
auto BasicSampler<Item>::load_pool(const Survey& survey, const std::vector<std::size_t>& blocks,
                                   Cursor cursor) -> Result<Pool> {
    Pool pool;
    std::uint64_t size = 0;
    for (const std::size_t block : blocks) size += survey.blocks[block].items;
    pool.items.reserve(size);
    std::vector<LabelledGame> games;
    Item scratch;
    for (const std::size_t number : blocks) {
        const auto& block = survey.blocks[number];
        const StoreFile& file = survey.files[block.file];
        if (auto ok = file.read(block.entry, games); !ok) {
            return fail_in(fmt::format("{} changed while it was read", file.path().string()),
                           ok.error());
        }
        std::uint64_t bit = block.first_bit;
        for (const LabelledGame& game : games) {
            if (!survey.has_split(game)) continue;
            visit_items(game, scratch, [&](const Item& item) {
                if (bit < survey.wanted.size() && survey.wanted[bit++]) pool.items.push_back(item);
            });
        }
    }
    pool.order.resize(pool.items.size());
    std::iota(pool.order.begin(), pool.order.end(), 0u);
    shuffle(pool.order, derived_seed(survey.options.seed, cursor.epoch, cursor.pool));
    return pool;
}

template <class Item>
auto BasicSampler<Item>::plan(std::uint64_t epoch) -> const PoolPlan& {
    if (plan_.empty() || planned_epoch_ != epoch) {
        plan_ = plan_epoch(*survey_, epoch);
        planned_epoch_ = epoch;
    }
    return plan_;
}

template <class Item>
auto BasicSampler<Item>::after(Cursor cursor) -> Cursor {
    const bool is_last = cursor.pool + 1 >= plan(cursor.epoch).size();
    return is_last ? Cursor{cursor.epoch + 1, 0} : Cursor{cursor.epoch, cursor.pool + 1};
}

template <class Item>
Result<void> BasicSampler<Item>::enter_pool(Cursor cursor) {
    if (cursor.pool >= plan(cursor.epoch).size()) {
        return fail(fmt::format("epoch {} has no pool {}", cursor.epoch, cursor.pool));
    }
    const bool is_coming = requested_.valid() && requested_cursor_ == cursor;
    auto pool = is_coming ? std::move(*requested_.get())
                          : load_pool(*survey_, plan(cursor.epoch)[cursor.pool], cursor);
    if (!pool) return tl::unexpected(pool.error());
    pool_ = std::move(*pool);
    cursor_ = cursor;
    has_pool_ = true;
    if (!survey_->options.prefetch) return {};
    requested_cursor_ = after(cursor);
    const auto& blocks = plan(requested_cursor_.epoch)[requested_cursor_.pool];
    requested_ =
        std::async(std::launch::async, [survey = survey_, blocks, wanted = requested_cursor_] {
            return std::make_unique<Result<Pool>>(load_pool(*survey, blocks, wanted));
        });
    return {};
}

template <class Item>
Result<void> BasicSampler<Item>::next(std::span<Item> out) {
    while (!out.empty()) {
        if (!has_pool_) {
            if (auto ok = enter_pool(cursor_); !ok) return ok;
        }
        if (offset_ >= pool_.order.size()) {
            if (auto ok = enter_pool(after(cursor_)); !ok) return ok;
            offset_ = 0;
        }
        const std::size_t count = std::min(out.size(), pool_.order.size() - offset_);
        for (std::size_t i = 0; i < count; ++i) out[i] = pool_.items[pool_.order[offset_ + i]];
        offset_ += count;
        out = out.subspan(count);
    }
    return {};
}

template <class Item>
SamplerState BasicSampler<Item>::state() const {
    return {cursor_.epoch, cursor_.pool, offset_, survey_->fingerprint};
}

template <class Item>
Result<void> BasicSampler<Item>::restore(const SamplerState& state) {
    if (state.fingerprint != survey_->fingerprint) {
        return fail("the saved position in the data comes from other stores or other options",
                    "resume with the stores, seed and filters the run was started with");
    }
    if (auto ok = enter_pool({state.epoch, state.pool}); !ok) return ok;
    if (state.offset > pool_.order.size()) return fail("the saved position in the data is damaged");
    offset_ = state.offset;
    return {};
}

template <class Item>
std::uint64_t BasicSampler<Item>::size() const {
    return survey_->items;
}

template <class Item>
std::uint64_t BasicSampler<Item>::duplicates() const {
    return survey_->duplicates;
}

template <class Item>
const ImportReport& BasicSampler<Item>::report() const {
    return survey_->report;
}

template class BasicSampler<Sample>;
template class BasicSampler<SiblingSet>;

}  // namespace solis::data
