// Appending blocks. What is in the file is never overwritten, so a crash can only cost what was
// not written yet.
#include "solis/data/store/writer.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "solis/base/file_descriptor.h"
#include "solis/data/store/block_codec.h"
#include "solis/data/store/block_frame.h"
#include "solis/data/store/block_scan.h"
#include "solis/data/store/index.h"
#include "solis/data/store/reader.h"

namespace solis::data {

struct StoreWriter::State {
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
    bool closed = false;

    [[nodiscard]] Result<void> write(const Bytes& bytes) {
        if (auto ok = file.write(bytes); !ok) {
            return fail_in(fmt::format("cannot write '{}'", path.string()), ok.error());
        }
        end += bytes.size();
        return {};
    }

    [[nodiscard]] Result<void> write_block() {
        const StoreSummary summary = encoder.summary();
        if (summary.games == 0) return {};
        const Bytes payload = encoder.finish(options.zstd_level);
        blocks.push_back({end, static_cast<std::uint32_t>(payload.size()),
                          static_cast<std::uint32_t>(summary.games),
                          static_cast<std::uint32_t>(summary.positions())});
        return write(frame_block(BlockKind::Games, payload, summary));
    }

    [[nodiscard]] Result<void> write_manifest() {
        const std::string json = to_json_text(manifest);
        manifest_offset = end;
        written_manifest = manifest;
        return write(frame_block(BlockKind::Manifest, as_bytes(json)));
    }

    [[nodiscard]] bool origin_changed() const {
        Manifest current = manifest;
        current.summary = written_manifest.summary;
        return current != written_manifest;
    }

    // A second writer would interleave its blocks with ours.
    [[nodiscard]] Result<void> lock() const {
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return {};
        return fail(fmt::format("'{}' is being written by another process", path.string()));
    }

    // Everything up to the last block that is whole.
    [[nodiscard]] Result<void> keep_whole_blocks();
    [[nodiscard]] Result<void> take_over(const ScanResult& found);
};

Result<void> StoreWriter::State::keep_whole_blocks() {
    auto found = scan_blocks(file);
    if (!found) return tl::unexpected(found.error());
    if (found->blocks.empty()) return fail("not a store of labelled games");
    while (!found->blocks.empty() && !read_payload(file, found->blocks.back())) {
        found->blocks.pop_back();
    }
    const auto size = file.size();
    if (!size) return tl::unexpected(size.error());
    end = found->blocks.empty() ? kFileHeaderSize : found->blocks.back().end();
    dropped = *size - end;
    if (dropped != 0 && ::ftruncate(file.get(), static_cast<off_t>(end)) != 0) {
        return fail(std::strerror(errno));
    }
    if (::lseek(file.get(), static_cast<off_t>(end), SEEK_SET) < 0) {
        return fail(std::strerror(errno));
    }
    return take_over(*found);
}

Result<void> StoreWriter::State::take_over(const ScanResult& found) {
    auto store = StoreFile::scan(path);
    if (!store) return tl::unexpected(store.error());
    manifest = written_manifest = store->manifest();
    blocks = store->blocks();
    for (const FoundBlock& block : found.blocks) {
        if (block.header.kind == BlockKind::Manifest) manifest_offset = block.offset;
    }
    return {};
}

StoreWriter::StoreWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
StoreWriter::StoreWriter(StoreWriter&&) noexcept = default;
StoreWriter& StoreWriter::operator=(StoreWriter&&) noexcept = default;
StoreWriter::~StoreWriter() {
    if (!state_ || state_->closed) return;
    if (state_->final_path.empty()) {
        static_cast<void>(close());
    } else {
        ::unlink(state_->path.c_str());
    }
}

Result<StoreWriter> StoreWriter::create(const std::filesystem::path& path, const Manifest& manifest,
                                        const StoreOptions& options) {
    if (std::filesystem::exists(path)) {
        return fail(fmt::format("'{}' exists already", path.string()),
                    "choose another name or remove it");
    }
    auto state = std::make_unique<State>();
    state->path = path;
    if (options.appears_when_closed) {
        state->final_path = path;
        state->path += fmt::format(".{}.partial", ::getpid());
    }
    state->options = options;
    state->manifest = manifest;
    state->manifest.summary = {};
    auto file = FileDescriptor::open(state->path, O_RDWR | O_CREAT | O_EXCL);
    if (!file) return tl::unexpected(file.error());
    state->file = std::move(*file);
    if (auto ok = state->lock(); !ok) return tl::unexpected(ok.error());
    if (auto ok = state->write(make_file_header()); !ok) return tl::unexpected(ok.error());
    if (auto ok = state->write_manifest(); !ok) return tl::unexpected(ok.error());
    return StoreWriter(std::move(state));
}

Result<StoreWriter> StoreWriter::open_for_append(const std::filesystem::path& path,
                                                 const StoreOptions& options) {
    auto state = std::make_unique<State>();
    state->path = path;
    state->options = options;
    auto file = FileDescriptor::open(path, O_RDWR);
    if (!file) return tl::unexpected(file.error());
    state->file = std::move(*file);
    if (auto ok = state->lock(); !ok) return tl::unexpected(ok.error());
    if (auto ok = state->keep_whole_blocks(); !ok) return fail_in(path.string(), ok.error());
    return StoreWriter(std::move(state));
}

Result<void> StoreWriter::append(const LabelledGame& game) {
    const std::uint64_t positions = game.line.size() + game.branches.size();
    const std::uint64_t filled = state_->encoder.summary().positions();
    const bool starts_block =
        filled >= state_->options.block_positions || filled + positions > kMaxBlockPositions;
    if (starts_block) {
        if (auto ok = state_->write_block(); !ok) return ok;
    }
    const StoreSummary before = state_->encoder.summary();
    if (auto ok = state_->encoder.add(game); !ok) return ok;
    if (before.games == 0) state_->before_block = state_->manifest.summary;
    state_->manifest.summary = state_->before_block;
    state_->manifest.summary += state_->encoder.summary();
    return {};
}

Result<void> StoreWriter::flush() {
    if (auto ok = state_->write_block(); !ok) return ok;
    if (state_->origin_changed()) {
        if (auto ok = state_->write_manifest(); !ok) return ok;
    }
    return state_->file.sync();
}

Result<void> StoreWriter::close() {
    state_->closed = true;
    if (auto ok = state_->write_block(); !ok) return ok;
    if (state_->manifest != state_->written_manifest) {
        if (auto ok = state_->write_manifest(); !ok) return ok;
    }
    const StoreIndex index{state_->manifest_offset, state_->blocks};
    if (auto ok = state_->write(make_index_block(index, state_->end)); !ok) return ok;
    if (auto ok = state_->file.sync(); !ok) return ok;
    state_->file = FileDescriptor();
    if (state_->final_path.empty()) return {};
    if (std::rename(state_->path.c_str(), state_->final_path.c_str()) != 0) {
        return fail(
            fmt::format("cannot rename '{}': {}", state_->path.string(), std::strerror(errno)));
    }
    return {};
}

Manifest& StoreWriter::manifest() { return state_->manifest; }
std::uint64_t StoreWriter::dropped_bytes() const { return state_->dropped; }

}  // namespace solis::data
