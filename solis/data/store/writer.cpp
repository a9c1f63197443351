// Games into blocks, blocks into the file.
#include "solis/data/store/writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "solis/data/store/block_frame.h"
#include "solis/data/store/writer_state.h"

namespace solis::data {

StoreWriter::StoreWriter(std::unique_ptr<WriterState> state) : state_(std::move(state)) {}
StoreWriter::StoreWriter(StoreWriter&&) noexcept = default;
StoreWriter& StoreWriter::operator=(StoreWriter&&) noexcept = default;
StoreWriter::~StoreWriter() {
    if (!state_ || state_->closed) return;
    if (!state_->final_path.empty()) {
        ::unlink(state_->path.c_str());
    } else if (state_->end_before != 0) {
        state_->undo_session();
    } else {
        static_cast<void>(close());
    }
}

Result<StoreWriter> StoreWriter::create(const std::filesystem::path& path, const Manifest& manifest,
                                        const StoreOptions& options) {
    if (std::filesystem::exists(path)) {
        return fail(fmt::format("'{}' exists already", path.string()),
                    "choose another name or remove it");
    }
    auto state = std::make_unique<WriterState>();
    state->path = path;
    state->options = options;
    state->manifest = manifest;
    state->manifest.summary = {};
    state->manifest.provisional_from = 0;
    if (options.appears_when_closed) {
        state->final_path = path;
        state->path += ".partial";
        if (auto ok = state->open_partial(); !ok) return tl::unexpected(ok.error());
    } else {
        auto file = FileDescriptor::open_regular(state->path, O_RDWR | O_CREAT | O_EXCL);
        if (!file) return tl::unexpected(file.error());
        state->file = std::move(*file);
        if (auto ok = state->lock(); !ok) return tl::unexpected(ok.error());
    }
    auto begun = state->write(make_file_header());
    if (begun) begun = state->write_manifest();
    if (!begun) {
        ::unlink(state->path.c_str());
        return tl::unexpected(begun.error());
    }
    return StoreWriter(std::move(state));
}

Result<StoreWriter> StoreWriter::open_for_append(const std::filesystem::path& path,
                                                 const StoreOptions& options) {
    auto state = std::make_unique<WriterState>();
    state->path = path;
    state->options = options;
    auto file = FileDescriptor::open_regular(path, O_RDWR);
    if (!file) return tl::unexpected(file.error());
    state->file = std::move(*file);
    if (auto ok = state->lock(); !ok) return tl::unexpected(ok.error());
    if (auto ok = state->keep_what_counts(); !ok) return tl::unexpected(ok.error());
    if (options.all_or_nothing) {
        if (auto ok = state->begin_session(); !ok) return tl::unexpected(ok.error());
    }
    return StoreWriter(std::move(state));
}

Result<StoreWriter> StoreWriter::open_or_create(const std::filesystem::path& path,
                                                const Manifest& manifest,
                                                const StoreOptions& options) {
    if (!std::filesystem::exists(path)) return create(path, manifest, options);
    const auto stillborn = is_stillborn(path);
    if (!stillborn) return tl::unexpected(stillborn.error());
    if (!*stillborn) return open_for_append(path, options);
    auto state = std::make_unique<WriterState>();
    state->path = path;
    state->options = options;
    state->manifest = manifest;
    state->manifest.summary = {};
    auto file = FileDescriptor::open_regular(path, O_RDWR);
    if (!file) return tl::unexpected(file.error());
    state->file = std::move(*file);
    if (auto ok = state->lock(); !ok) return tl::unexpected(ok.error());
    // Another process may have begun the file, and ended, before it was locked.
    if (const auto still = is_stillborn(path); !still || !*still) {
        state.reset();
        return open_for_append(path, options);
    }
    if (auto ok = state->cut_to(0); !ok) return tl::unexpected(ok.error());
    if (auto ok = state->write(make_file_header()); !ok) return tl::unexpected(ok.error());
    if (auto ok = state->write_manifest(); !ok) return tl::unexpected(ok.error());
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
    WriterState& s = *state_;
    // An all_or_nothing session stays open until all of it is on the disk: its manifest, which
    // makes it count, comes last.
    if (auto ok = s.write_block(); !ok) return ok;
    if (s.end_before != 0) {
        if (auto ok = s.file.sync(); !ok) return ok;
        s.manifest.provisional_from = 0;
    }
    if (s.manifest != s.written_manifest) {
        if (auto ok = s.write_manifest(); !ok) return ok;
    }
    if (auto ok = s.write_index(); !ok) return ok;
    if (!s.final_path.empty()) {
        if (auto ok = s.publish(); !ok) return ok;
    }
    s.closed = true;
    s.file = FileDescriptor();
    return {};
}

Manifest& StoreWriter::manifest() { return state_->manifest; }
std::uint64_t StoreWriter::dropped_bytes() const { return state_->dropped; }
bool StoreWriter::rolled_back() const { return state_->rolled_back; }
const std::vector<Damage>& StoreWriter::damage() const { return state_->damage; }

}  // namespace solis::data
