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

// What a reader does where a store is damaged. The rule of every command is to stop and say where,
// unless the user asked for the rest.
enum class OnDamage : std::uint8_t { Stop, Skip };

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
    // All damage that checksums show, that inside blocks included: reads the whole file.
    [[nodiscard]] std::vector<Damage> find_damage() const;
    // An error that names this file and the damage, and says how to go on without it.
    [[nodiscard]] Error damage_error(const Damage& damage) const;
    [[nodiscard]] bool has_index() const { return has_index_; }
    [[nodiscard]] std::uint64_t file_size() const { return file_size_; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    // Replaces `games` by those of one block. An error means that this block is damaged; others
    // may still be read.
    [[nodiscard]] Result<void> read(const BlockEntry& block,
                                    std::vector<LabelledGame>& games) const;
    // The damage that an error of read() stands for.
    [[nodiscard]] Damage damage_of(const BlockEntry& block, const Error& error) const;

  private:
    StoreFile() = default;
    [[nodiscard]] static Result<StoreFile> open_file(const std::filesystem::path& path);
    [[nodiscard]] bool read_index();
    [[nodiscard]] Result<void> find_blocks();
    [[nodiscard]] Result<void> take_manifest(const FoundBlock& block);
    // Whether this place was written by an import that did not end.
    [[nodiscard]] bool is_provisional(std::uint64_t offset) const {
        return manifest_.provisional_from != 0 && offset >= manifest_.provisional_from;
    }

    std::filesystem::path path_;
    FileDescriptor file_;
    std::uint64_t file_size_ = 0;
    std::vector<BlockEntry> blocks_;
    Manifest manifest_;
    std::vector<Damage> damage_;
    bool has_index_ = false;
};

// The games of a store in file order. Damage ends the reading with an error that names file, block
// and games; where it is to be skipped, damaged blocks are bad rows of the report.
class StoreSource final : public GameSource {
  public:
    explicit StoreSource(StoreFile file, OnDamage on_damage = OnDamage::Stop,
                         std::optional<Split> only = {}, SplitShares shares = {});
    [[nodiscard]] static Result<std::unique_ptr<StoreSource>> open(
        const std::filesystem::path& path, OnDamage on_damage = OnDamage::Stop);

    [[nodiscard]] Result<bool> next(LabelledGame& game) override;
    [[nodiscard]] const ImportReport& report() const override { return report_; }
    [[nodiscard]] const StoreFile& file() const { return file_; }

  private:
    // Notes damage, or makes it the error to stop with.
    [[nodiscard]] Result<void> meet(const Damage& damage);

    StoreFile file_;
    OnDamage on_damage_;
    std::optional<Split> only_;
    SplitShares shares_;
    std::vector<LabelledGame> games_;
    std::size_t next_game_ = 0;
    std::size_t next_block_ = 0;
    std::size_t next_damage_ = 0;  // of those that opening the file found
    ImportReport report_;
};

}  // namespace solis::data
