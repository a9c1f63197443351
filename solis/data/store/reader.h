// Reads store files: by block in any order, or game by game as a GameSource.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solis/base/file_descriptor.h"
#include "solis/base/result.h"
#include "solis/data/game_source.h"
#include "solis/data/store/block_scan.h"
#include "solis/data/store/game_hash.h"
#include "solis/data/store/index.h"
#include "solis/data/store/manifest.h"

namespace solis::data {

// An open store. Reading is const and safe from several threads.
class StoreFile {
  public:
    // Uses the index of a cleanly closed file; otherwise finds the blocks by scanning, stepping
    // over damage. Fails only if the file cannot be read or holds no store.
    [[nodiscard]] static Result<StoreFile> open(const std::filesystem::path& path);
    // The same without trusting the index.
    [[nodiscard]] static Result<StoreFile> scan(const std::filesystem::path& path);

    [[nodiscard]] const std::vector<BlockEntry>& blocks() const { return blocks_; }
    [[nodiscard]] const Manifest& manifest() const { return manifest_; }
    // What scanning stepped over; damage inside a block is found by read().
    [[nodiscard]] const std::vector<Damage>& damage() const { return damage_; }
    [[nodiscard]] bool has_index() const { return has_index_; }
    [[nodiscard]] std::uint64_t file_size() const { return file_size_; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    // Replaces `games` by those of one block. An error means that this block is damaged; others
    // may still be read.
    [[nodiscard]] Result<void> read(const BlockEntry& block,
                                    std::vector<LabelledGame>& games) const;

  private:
    StoreFile() = default;
    [[nodiscard]] static Result<StoreFile> open_file(const std::filesystem::path& path);
    [[nodiscard]] bool read_index();
    [[nodiscard]] Result<void> find_blocks();
    [[nodiscard]] Result<void> take_manifest(const FoundBlock& block);

    std::filesystem::path path_;
    FileDescriptor file_;
    std::uint64_t file_size_ = 0;
    std::vector<BlockEntry> blocks_;
    Manifest manifest_;
    std::vector<Damage> damage_;
    bool has_index_ = false;
};

// The games of a store in file order; damaged blocks are bad rows of the report.
class StoreSource final : public GameSource {
  public:
    explicit StoreSource(StoreFile file, std::optional<Split> only = {}, SplitShares shares = {});
    [[nodiscard]] static Result<std::unique_ptr<StoreSource>> open(
        const std::filesystem::path& path);

    [[nodiscard]] Result<bool> next(LabelledGame& game) override;
    [[nodiscard]] const ImportReport& report() const override { return report_; }
    [[nodiscard]] const StoreFile& file() const { return file_; }

  private:
    StoreFile file_;
    std::optional<Split> only_;
    SplitShares shares_;
    std::vector<LabelledGame> games_;
    std::size_t next_game_ = 0;
    std::size_t next_block_ = 0;
    ImportReport report_;
};

}  // namespace solis::data
