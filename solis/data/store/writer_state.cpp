// Appending to the file of a store. What is in it is never overwritten, so a crash can only cost
// what was not written yet.
#include "solis/data/store/writer_state.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "solis/data/store/block_frame.h"
#include "solis/data/store/block_scan.h"

namespace solis::data {

Result<void> WriterState::write(const Bytes& bytes) {
    if (failure) return tl::unexpected(*failure);
    if (auto ok = file.write(bytes); !ok) {
        failure = Error{fmt::format("cannot write '{}': {}", path.string(), ok.error().message),
                        ok.error().hint};
        static_cast<void>(cut_to(end));
        return tl::unexpected(*failure);
    }
    end += bytes.size();
    return {};
}

Result<void> WriterState::cut_to(std::uint64_t size) {
    if (::ftruncate(file.get(), static_cast<off_t>(size)) != 0 ||
        ::lseek(file.get(), static_cast<off_t>(size), SEEK_SET) < 0) {
        return fail(fmt::format("cannot shorten '{}': {}", path.string(), std::strerror(errno)));
    }
    end = size;
    return {};
}

Result<void> WriterState::write_block() {
    const StoreSummary summary = encoder.summary();
    if (summary.games == 0) return {};
    const Bytes payload = encoder.finish(options.zstd_level);
    const BlockEntry entry{end, static_cast<std::uint32_t>(payload.size()),
                           static_cast<std::uint32_t>(summary.games),
                           static_cast<std::uint32_t>(summary.positions())};
    if (auto ok = write(frame_block(BlockKind::Games, payload, summary)); !ok) return ok;
    blocks.push_back(entry);
    return {};
}

Result<void> WriterState::write_manifest() {
    const std::string json = to_json_text(manifest);
    const std::uint64_t offset = end;
    if (auto ok = write(frame_block(BlockKind::Manifest, as_bytes(json))); !ok) return ok;
    manifest_offset = offset;
    written_manifest = manifest;
    return {};
}

Result<void> WriterState::write_index() {
    const StoreIndex index{manifest_offset, blocks};
    if (auto ok = write(make_index_block(index, end)); !ok) return ok;
    return file.sync();
}

Result<void> WriterState::begin_session() {
    blocks_before = blocks;
    manifest_before = manifest;
    manifest_offset_before = manifest_offset;
    end_before = end;
    manifest.provisional_from = end;
    return write_manifest();
}

void WriterState::undo_session() {
    failure.reset();
    if (!cut_to(end_before)) return;
    blocks = blocks_before;
    manifest = written_manifest = manifest_before;
    manifest_offset = manifest_offset_before;
    static_cast<void>(write_index());
}

bool WriterState::origin_changed() const {
    Manifest current = manifest;
    current.summary = written_manifest.summary;
    return current != written_manifest;
}

Result<void> WriterState::lock() const {
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return {};
    return fail(fmt::format("'{}' is being written by another process", path.string()));
}

Result<void> WriterState::open_partial() {
    for (;;) {
        auto opened = FileDescriptor::open_regular(path, O_RDWR | O_CREAT);
        if (!opened) return tl::unexpected(opened.error());
        file = std::move(*opened);
        if (auto ok = lock(); !ok) return ok;
        struct stat ours {
        }, named{};
        const bool is_still_it = ::fstat(file.get(), &ours) == 0 &&
                                 ::stat(path.c_str(), &named) == 0 && ours.st_ino == named.st_ino;
        if (is_still_it) return cut_to(0);
    }
}

Result<void> WriterState::publish() const {
    // Fails, other than rename, where another process was faster.
    if (::link(path.c_str(), final_path.c_str()) == 0) {
        ::unlink(path.c_str());
        return {};
    }
    const int reason = errno;
    if (reason == EEXIST) {
        return fail(fmt::format("'{}' exists already", final_path.string()),
                    "it was made meanwhile; choose another name or remove it");
    }
    // File systems without hard links.
    if ((reason == EPERM || reason == ENOTSUP) && !std::filesystem::exists(final_path) &&
        std::rename(path.c_str(), final_path.c_str()) == 0) {
        return {};
    }
    return fail(fmt::format("cannot rename '{}': {}", path.string(), std::strerror(reason)));
}

// Damage at the end of the file is what a crash left, and is dropped.
Result<void> WriterState::check_damage(const StoreFile& store) {
    for (Damage& found : store.find_damage()) {
        const bool is_tail = found.offset >= end;
        if (is_tail) continue;
        if (options.on_damage == OnDamage::Stop) return tl::unexpected(store.damage_error(found));
        damage.push_back(std::move(found));
    }
    return {};
}

Result<void> WriterState::keep_what_counts() {
    auto store = StoreFile::scan(path);
    if (!store) return tl::unexpected(store.error());
    auto found = scan_blocks(file);
    if (!found) return tl::unexpected(found.error());
    const std::uint64_t limit = store->manifest().provisional_from;
    rolled_back = limit != 0;
    std::vector<FoundBlock>& whole = found->blocks;
    std::erase_if(whole, [&](const FoundBlock& b) { return limit != 0 && b.offset >= limit; });
    while (!whole.empty() && !read_payload(file, whole.back())) whole.pop_back();
    const auto size = file.size();
    if (!size) return tl::unexpected(size.error());
    end = whole.empty() ? kFileHeaderSize : whole.back().end();
    if (auto ok = check_damage(*store); !ok) return ok;
    dropped = *size - end;
    if (auto ok = cut_to(end); !ok) return ok;
    store = StoreFile::scan(path);
    if (!store) return tl::unexpected(store.error());
    manifest = written_manifest = store->manifest();
    blocks = store->blocks();
    for (const FoundBlock& block : whole) {
        if (block.header.kind == BlockKind::Manifest) manifest_offset = block.offset;
    }
    return {};
}

Result<bool> is_stillborn(const std::filesystem::path& path) {
    const auto file = FileDescriptor::open_regular(path);
    if (!file) return tl::unexpected(file.error());
    const auto size = file->size();
    if (!size) return fail_in(path.string(), size.error());
    const Bytes header = make_file_header();
    Bytes start(std::min<std::uint64_t>(*size, header.size()));
    if (const auto got = file->read_at(0, start); !got) return tl::unexpected(got.error());
    if (!std::equal(start.begin(), start.end(), header.begin())) return false;
    if (*size < header.size() + BlockHeader::kSize) return true;
    const auto first = read_header(*file, header.size());
    return first && first->header.kind == BlockKind::Manifest && first->end() > *size;
}

}  // namespace solis::data
