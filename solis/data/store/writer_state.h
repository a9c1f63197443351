// The file behind a StoreWriter: locked, written block by block, never left with half a block
// behind which others stand.
#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "solis/base/file_descriptor.h"
#include "solis/data/store/block_codec.h"
#include "solis/data/store/index.h"
#include "solis/data/store/writer.h"

namespace solis::data {

struct WriterState {
    std::filesystem::path path;        // that is written
    std::filesystem::path final_path;  // that it gets when it is closed; empty if it has it
    StoreOptions options;
    FileDescriptor file;
    std::uint64_t end = 0;  // size of the file
    std::uint64_t dropped = 0;
    Manifest manifest;
    Manifest written_manifest;
    std::uint64_t manifest_offset = 0;
    std::vector<BlockEntry> blocks;
    BlockEncoder encoder;
    StoreSummary before_block;  // manifest.summary when the unfinished block was begun
    std::vector<Damage> damage;
    std::vector<BlockEntry> blocks_before;  // where the session is all or nothing
    Manifest manifest_before;
    std::uint64_t manifest_offset_before = 0;
    std::uint64_t end_before = 0;  // 0: every block counts once it is written
    bool rolled_back = false;
    // Why a write failed: nothing is written any more, and the file stays as it was before it.
    std::optional<Error> failure;
    bool closed = false;

    // Writes all bytes or, say on a full disk, none: what follows must not stand behind half a
    // block.
    [[nodiscard]] Result<void> write(const Bytes& bytes);
    [[nodiscard]] Result<void> cut_to(std::uint64_t size);
    [[nodiscard]] Result<void> write_block();
    [[nodiscard]] Result<void> write_manifest();
    [[nodiscard]] Result<void> write_index();

    // From here on nothing counts until the session is closed.
    [[nodiscard]] Result<void> begin_session();
    // Back to where the session began, with an index as the file had it.
    void undo_session();

    [[nodiscard]] bool origin_changed() const;

    // A second writer would interleave its blocks with ours.
    [[nodiscard]] Result<void> lock() const;

    // Gets the lock on NAME.partial, which another process may be renaming at the same moment.
    [[nodiscard]] Result<void> open_partial();
    // Gives NAME.partial its name, unless there is such a file by now.
    [[nodiscard]] Result<void> publish() const;
    // Drops what an interrupted session left, then everything behind the last block that is whole.
    [[nodiscard]] Result<void> keep_what_counts();
    [[nodiscard]] Result<void> check_damage(const StoreFile& store);
};

// Whether the creation of a store was cut short before its first manifest was written. Such a file
// is a part of what create() writes first, or empty.
[[nodiscard]] Result<bool> is_stillborn(const std::filesystem::path& path);

}  // namespace solis::data
