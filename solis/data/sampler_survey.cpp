// One pass over the stores, and reading them again pool by pool.
#include "solis/data/sampler_survey.h"

#include <cmath>

#include <fmt/format.h>

namespace solis::data {
namespace {

constexpr std::uint64_t kSurveyMix = 0x9E3779B97F4A7C15ULL;

}  // namespace

template <class Item>
bool SamplerSurvey<Item>::has_split(const LabelledGame& game) const {
    return !options.split || split_of(game, options.shares) == *options.split;
}

template <class Item>
Result<void> SamplerSurvey<Item>::meet(const StoreFile& file, const Damage& damage) {
    if (options.on_damage == OnDamage::Stop) return tl::unexpected(file.damage_error(damage));
    report.add_damage(file.path().string(), to_text(damage), damage.games);
    return {};
}

template <class Item>
void SamplerSurvey<Item>::mix(std::uint64_t key, const Score& score) {
    fingerprint = (fingerprint ^ key) * kSurveyMix + static_cast<std::uint64_t>(score.value());
}

template <class Item>
void SamplerSurvey<Item>::add_labelled(const LabelledGame& game, KeyFilter& seen, Block& block) {
    Item scratch;
    visit_items(game, scratch, [&](const Item& item) {
        const std::uint64_t key = item.position.key();
        bool is_wanted = passes(options.filter, item);
        if (is_wanted && options.unique && !seen.insert(key)) {
            ++duplicates;
            is_wanted = false;
        }
        if (is_wanted) mix(key, item.label.score);
        wanted_.push_back(is_wanted);
        block.items += is_wanted ? 1 : 0;
    });
}

template <class Item>
void SamplerSurvey<Item>::add_moves(LabelledGame&& game, KeyFilter& seen, Block& block) {
    UntaughtGame untaught{std::move(game), {}};
    chess::Position position = untaught.game.start;
    for (std::size_t ply = 0; ply < untaught.game.line.size(); ++ply) {
        if (ply > 0) position = position.after(untaught.game.line[ply].move);
        const bool is_new = !options.unique || seen.insert(position.key());
        untaught.is_new.push_back(is_new);
        wanted_.push_back(is_new);
        if (is_new) {
            mix(position.key(), {});
            ++block.items;
        } else {
            ++duplicates;
        }
    }
    sample_.offer(std::move(untaught));
}

template <class Item>
void SamplerSurvey<Item>::estimate_items() {
    std::uint64_t positions = 0;
    for (const UntaughtGame& game : sample_.games()) {
        for (const bool is_new : game.is_new) positions += is_new ? 1 : 0;
    }
    std::vector<Item> drawn;
    ThreadPool threads(options.teacher_threads);
    append_taught(sample_.games(), options, 0, threads, {}, drawn);
    sample_ = {};
    for (const Item& item : drawn) mix(item.position.key(), item.label.score);
    const double items_per_position =
        positions == 0 ? 0 : static_cast<double>(drawn.size()) / static_cast<double>(positions);
    const auto estimate = [&](std::uint64_t count) {
        return static_cast<std::uint64_t>(
            std::llround(static_cast<double>(count) * items_per_position));
    };
    items = estimate(items);
    for (std::uint64_t& of_store : items_of_stores) of_store = estimate(of_store);
    for (Block& block : blocks) block.items = estimate(block.items);
}

template <class Item>
Result<void> SamplerSurvey<Item>::add_block(std::size_t file, const BlockEntry& entry,
                                            KeyFilter& seen, std::vector<LabelledGame>& games) {
    ++report.rows;
    if (auto ok = files_[file].read(entry, games); !ok) {
        return meet(files_[file], files_[file].damage_of(entry, ok.error()));
    }
    Block block{file, entry, wanted_.size(), 0};
    for (LabelledGame& game : games) {
        if (!has_split(game)) continue;
        if (options.teacher != nullptr) {
            add_moves(std::move(game), seen, block);
        } else {
            add_labelled(game, seen, block);
        }
    }
    items += block.items;
    items_of_stores[file] += block.items;
    if (block.items != 0) blocks.push_back(block);
    return {};
}

template <class Item>
auto SamplerSurvey<Item>::make(const std::vector<std::filesystem::path>& stores,
                               const SamplerOptions& options)
    -> Result<std::shared_ptr<const SamplerSurvey>> {
    auto survey = std::make_shared<SamplerSurvey>();
    survey->options = options;
    std::uint64_t expected = 0;
    for (const std::filesystem::path& path : stores) {
        auto file = StoreFile::open(path);
        if (!file) return tl::unexpected(file.error());
        for (const Damage& damage : file->damage()) {
            if (auto ok = survey->meet(*file, damage); !ok) return tl::unexpected(ok.error());
        }
        for (const BlockEntry& entry : file->blocks()) expected += entry.positions;
        survey->files_.push_back(std::move(*file));
    }
    survey->items_of_stores.resize(stores.size());
    KeyFilter seen(options.unique ? expected : 0, options.unique_memory);
    std::vector<LabelledGame> games;
    for (std::size_t file = 0; file < survey->files_.size(); ++file) {
        for (const BlockEntry& entry : survey->files_[file].blocks()) {
            auto ok = survey->add_block(file, entry, seen, games);
            if (!ok) return tl::unexpected(ok.error());
        }
    }
    if (options.teacher != nullptr) survey->estimate_items();
    if (survey->items == 0) {
        return fail("no position in the stores passes the filters",
                    "check the split and the filter with: solis data stats");
    }
    survey->fingerprint =
        (survey->fingerprint ^ options.seed.value) * kSurveyMix + options.pool_items;
    return survey;
}

template <class Item>
std::vector<UntaughtGame> SamplerSurvey<Item>::untaught(std::vector<LabelledGame>& games,
                                                        std::uint64_t first_bit) const {
    std::vector<UntaughtGame> result;
    for (LabelledGame& game : games) {
        if (!has_split(game)) continue;
        const std::uint64_t end = first_bit + game.line.size();
        if (end > wanted_.size()) break;  // the file has changed
        const auto bits = wanted_.begin();
        result.push_back({std::move(game),
                          {bits + static_cast<std::ptrdiff_t>(first_bit),
                           bits + static_cast<std::ptrdiff_t>(end)}});
        first_bit = end;
    }
    return result;
}

template <class Item>
Result<std::vector<Item>> SamplerSurvey<Item>::load(const std::vector<std::size_t>& numbers,
                                                    std::uint64_t epoch,
                                                    const std::stop_token& stop) const {
    std::vector<Item> loaded;
    std::uint64_t size = 0;
    for (const std::size_t number : numbers) size += blocks[number].items;
    loaded.reserve(size);
    std::vector<LabelledGame> games;
    Item scratch;
    ThreadPool threads(options.teacher != nullptr ? options.teacher_threads : 1);
    for (const std::size_t number : numbers) {
        if (stop.stop_requested()) return fail("stopped");
        const Block& block = blocks[number];
        const StoreFile& file = files_[block.file];
        if (auto ok = file.read(block.entry, games); !ok) {
            return fail_in(fmt::format("{} changed while it was read", file.path().string()),
                           ok.error());
        }
        if (options.teacher != nullptr) {
            std::vector<UntaughtGame> unlabelled = untaught(games, block.first_bit);
            append_taught(unlabelled, options, epoch, threads, stop, loaded);
            continue;
        }
        std::uint64_t bit = block.first_bit;
        for (const LabelledGame& game : games) {
            if (!has_split(game)) continue;
            visit_items(game, scratch, [&](const Item& item) {
                if (bit < wanted_.size() && wanted_[bit++]) loaded.push_back(item);
            });
        }
    }
    if (stop.stop_requested()) return fail("stopped");
    return loaded;
}

template class SamplerSurvey<Sample>;
template class SamplerSurvey<SiblingSet>;

}  // namespace solis::data
