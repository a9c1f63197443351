// StoreFile and StoreSource.
#include "solis/data/store/reader.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "solis/data/store/block_codec.h"

namespace solis::data {
namespace {

// Counts are enough to tell that a header and its games belong together.
StoreSummary counts_of(const std::vector<LabelledGame>& games) {
    StoreSummary counts;
    counts.games = games.size();
    for (const LabelledGame& game : games) {
        counts.line_positions += game.line.size();
        counts.branch_positions += game.branches.size();
    }
    return counts;
}

}  // namespace

Result<StoreFile> StoreFile::open_file(const std::filesystem::path& path) {
    auto descriptor = FileDescriptor::open_regular(path);
    if (!descriptor) return tl::unexpected(descriptor.error());
    StoreFile store;
    store.path_ = path;
    store.file_ = std::move(*descriptor);
    const auto size = store.file_.size();
    if (!size) return fail_in(path.string(), size.error());
    store.file_size_ = *size;
    if (auto ok = check_file_header(store.file_, store.damage_); !ok) {
        return fail_in(path.string(), ok.error());
    }
    return store;
}

Result<StoreFile> StoreFile::open(const std::filesystem::path& path) {
    auto store = open_file(path);
    if (!store) return store;
    if (store->read_index()) return store;
    if (auto ok = store->find_blocks(); !ok) return fail_in(path.string(), ok.error());
    return store;
}

Result<StoreFile> StoreFile::scan(const std::filesystem::path& path) {
    auto store = open_file(path);
    if (!store) return store;
    store->has_index_ = read_store_index(store->file_).has_value();
    if (auto ok = store->find_blocks(); !ok) return fail_in(path.string(), ok.error());
    return store;
}

bool StoreFile::read_index() {
    auto index = read_store_index(file_);
    if (!index) return false;
    const auto manifest = read_header(file_, index->manifest_offset);
    if (!manifest || !take_manifest(*manifest)) return false;
    blocks_ = std::move(index->blocks);
    has_index_ = true;
    return true;
}

Result<void> StoreFile::take_manifest(const FoundBlock& block) {
    if (block.header.kind != BlockKind::Manifest) return fail("not a manifest");
    const auto payload = read_payload(file_, block);
    if (!payload) return tl::unexpected(payload.error());
    auto manifest = parse_manifest(as_text(*payload));
    if (!manifest) return tl::unexpected(manifest.error());
    manifest_ = std::move(*manifest);
    return {};
}

Result<void> StoreFile::find_blocks() {
    auto found = scan_blocks(file_);
    if (!found) return tl::unexpected(found.error());
    if (found->blocks.empty()) {
        return fail("not a store of labelled games",
                    "make one from other formats with: solis data import");
    }
    damage_ = std::move(found->damage);
    for (const FoundBlock& block : found->blocks) {
        if (block.header.kind != BlockKind::Manifest) continue;
        // A later manifest replaces an earlier one, unless it is damaged.
        if (auto ok = take_manifest(block); !ok) {
            damage_.push_back({block.offset, "manifest: " + ok.error().message});
        }
    }
    // A session that ended left a manifest or an index behind its beginning, even if they are
    // damaged by now.
    for (const FoundBlock& block : found->blocks) {
        if (block.header.kind != BlockKind::Games && block.offset > manifest_.provisional_from) {
            manifest_.provisional_from = 0;
        }
    }
    StoreSummary total;
    for (const FoundBlock& block : found->blocks) {
        const StoreSummary& s = block.header.summary;
        if (block.header.kind == BlockKind::Games && !is_provisional(block.offset)) {
            blocks_.push_back({block.offset, block.header.payload_size,
                               static_cast<std::uint32_t>(s.games),
                               static_cast<std::uint32_t>(s.positions())});
            total += s;
        }
    }
    // What an interrupted import left behind was never part of the store: its end is no damage.
    std::erase_if(damage_, [&](const Damage& damage) { return is_provisional(damage.offset); });
    manifest_.summary = total;
    return {};
}

Damage StoreFile::damage_of(const BlockEntry& block, const Error& error) const {
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        if (blocks_[i].offset == block.offset) number = i + 1;
    }
    return {block.offset, error.message, number, block.games};
}

std::vector<Damage> StoreFile::find_damage() const {
    std::vector<Damage> all = damage_;
    for (const BlockEntry& block : blocks_) {
        const auto found = read_header(file_, block.offset);
        const auto payload =
            found ? read_payload(file_, *found) : Result<Bytes>(tl::unexpected(found.error()));
        if (!payload) all.push_back(damage_of(block, payload.error()));
    }
    return all;
}

Error StoreFile::damage_error(const Damage& damage) const {
    return {fmt::format("'{}' is damaged, {}", path_.string(), to_text(damage)),
            "--skip-damaged goes on without what is damaged; solis data info lists all of it"};
}

Result<void> StoreFile::read(const BlockEntry& block, std::vector<LabelledGame>& games) const {
    const auto found = read_header(file_, block.offset);
    if (!found) return tl::unexpected(found.error());
    if (found->header.kind != BlockKind::Games) return fail("not a block of games");
    const auto payload = read_payload(file_, *found);
    if (!payload) return tl::unexpected(payload.error());
    if (auto ok = decode_block(*payload, games); !ok) return ok;
    const StoreSummary counts = counts_of(games), &announced = found->header.summary;
    if (counts.games != announced.games || counts.line_positions != announced.line_positions ||
        counts.branch_positions != announced.branch_positions) {
        return fail("counts differ from the header");
    }
    return {};
}

StoreSource::StoreSource(StoreFile file, OnDamage on_damage, std::optional<Split> only,
                         SplitShares shares)
    : file_(std::move(file)), on_damage_(on_damage), only_(only), shares_(shares) {}

Result<std::unique_ptr<StoreSource>> StoreSource::open(const std::filesystem::path& path,
                                                       OnDamage on_damage) {
    auto file = StoreFile::open(path);
    if (!file) return tl::unexpected(file.error());
    return std::make_unique<StoreSource>(std::move(*file), on_damage);
}

Result<void> StoreSource::meet(const Damage& damage) {
    if (on_damage_ == OnDamage::Stop) return tl::unexpected(file_.damage_error(damage));
    report_.add_damage(file_.path().string(), to_text(damage), damage.games);
    return {};
}

Result<bool> StoreSource::next(LabelledGame& game) {
    while (next_damage_ < file_.damage().size()) {
        if (auto ok = meet(file_.damage()[next_damage_++]); !ok) {
            return tl::unexpected(ok.error());
        }
    }
    for (;;) {
        while (next_game_ < games_.size()) {
            LabelledGame& candidate = games_[next_game_++];
            ++report_.rows;
            if (only_ && split_of(candidate, shares_) != *only_) continue;
            std::swap(game, candidate);
            return true;
        }
        if (next_block_ == file_.blocks().size()) return false;
        next_game_ = 0;
        const BlockEntry& block = file_.blocks()[next_block_++];
        if (auto ok = file_.read(block, games_); !ok) {
            games_.clear();
            auto met = meet(file_.damage_of(block, ok.error()));
            if (!met) return tl::unexpected(met.error());
        }
    }
}

}  // namespace solis::data
