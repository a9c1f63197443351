// Pools and the cursor over them.
#include "solis/data/sampler.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "solis/data/sampler_survey.h"

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
Result<BasicSampler<Item>> BasicSampler<Item>::open(
    const std::vector<std::filesystem::path>& stores, const SamplerOptions& options) {
    auto survey = Survey::make(stores, options);
    if (!survey) return tl::unexpected(survey.error());
    return BasicSampler(std::move(*survey));
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
                                   Cursor cursor, const std::stop_token& stop) -> Result<Pool> {
    auto items = survey.load(blocks, cursor.epoch, stop);
    if (!items) return tl::unexpected(items.error());
    Pool pool{std::move(*items), {}};
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
                          : load_pool(*survey_, plan(cursor.epoch)[cursor.pool], cursor, {});
    if (!pool) return tl::unexpected(pool.error());
    pool_ = std::move(*pool);
    cursor_ = cursor;
    has_pool_ = true;
    if (!survey_->options.prefetch) return {};
    requested_cursor_ = after(cursor);
    const auto& blocks = plan(requested_cursor_.epoch)[requested_cursor_.pool];
    requested_ = std::async(
        std::launch::async,
        [survey = survey_, blocks, wanted = requested_cursor_, stop = stop_.get_token()] {
            return std::make_unique<Result<Pool>>(load_pool(*survey, blocks, wanted, stop));
        });
    return {};
}

template <class Item>
Result<void> BasicSampler<Item>::next(std::span<Item> out) {
    std::size_t empty_pools = 0;
    while (!out.empty()) {
        if (!has_pool_) {
            if (auto ok = enter_pool(cursor_); !ok) return ok;
        }
        if (offset_ >= pool_.order.size()) {
            if (pool_.order.empty() && ++empty_pools > plan(cursor_.epoch).size()) {
                return fail("no position of a whole epoch passes the filters");
            }
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
    const Teacher* const teacher = survey_->options.teacher.get();
    return {cursor_.epoch, cursor_.pool, offset_, survey_->fingerprint,
            teacher != nullptr ? teacher->fingerprint() : 0};
}

template <class Item>
Result<void> BasicSampler<Item>::restore(const SamplerState& state) {
    if (state.teacher != this->state().teacher) {
        return fail("the saved position in the data comes with labels of another teacher",
                    "resume with the very net the run was started with");
    }
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
const std::vector<std::uint64_t>& BasicSampler<Item>::items_of_stores() const {
    return survey_->items_of_stores;
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
