// Writes games into a store file, block by block; a crash costs at most the unfinished block.
// The format is described in docs/formats/store.md.
#pragma once
#include <filesystem>
#include <memory>

#include "solis/base/result.h"
#include "solis/data/labelled_game.h"
#include "solis/data/store/manifest.h"
#include "solis/data/store/reader.h"

namespace solis::data {

// The usual extension of store files.
inline constexpr std::string_view kStoreExtension = ".sgt";

struct StoreOptions {
    int zstd_level = 3;
    // A block is written when it holds at least this many positions.
    std::uint32_t block_positions = std::uint32_t{1} << 16;
    // Only for create(): the file is written as NAME.partial and gets its name when it is closed.
    // For conversions, where half a result is worse than none. What a killed process left as
    // NAME.partial is overwritten; while a process writes it, another one is refused.
    bool appears_when_closed = false;
    // Only for open_for_append(): all games of this session count or none, even after a crash. What
    // was added vanishes if the writer is not closed.
    bool all_or_nothing = false;
    // Only for open_for_append(): a store that is damaged is refused, or the damage stays in it.
    OnDamage on_damage = OnDamage::Stop;
};

struct WriterState;

class StoreWriter {
  public:
    // A new file; fails if there is one already. The manifest's summary is ignored. After a failure
    // nothing stays behind.
    [[nodiscard]] static Result<StoreWriter> create(const std::filesystem::path& path,
                                                    const Manifest& manifest,
                                                    const StoreOptions& options = {});
    // Goes on with an existing file, after dropping a tail that a crash left unfinished, and what
    // an interrupted all_or_nothing session wrote. One writer per file: a second one fails.
    [[nodiscard]] static Result<StoreWriter> open_for_append(const std::filesystem::path& path,
                                                             const StoreOptions& options = {});
    // Goes on with the file if there is one, or makes it. A file whose creation was cut short, by a
    // full disk or a kill, holds no games and is begun again.
    [[nodiscard]] static Result<StoreWriter> open_or_create(const std::filesystem::path& path,
                                                            const Manifest& manifest,
                                                            const StoreOptions& options = {});
    StoreWriter(StoreWriter&&) noexcept;
    StoreWriter& operator=(StoreWriter&&) noexcept;
    // Closes if that was not done, ignoring errors. Drops a file that appears when closed, and the
    // games of an all_or_nothing session.
    ~StoreWriter();

    // Fails without any effect if a move is not legal or the game is larger than the format's
    // limits (labelled_game.h); any other failure is a write error.
    [[nodiscard]] Result<void> append(const LabelledGame& game);
    // Writes the unfinished block and a changed manifest and waits for the disk. Many small blocks
    // compress badly: every half minute is often enough.
    [[nodiscard]] Result<void> flush();
    // flush(), then the index that lets readers open the file without scanning it.
    [[nodiscard]] Result<void> close();

    // The origin fields may be edited until close(); the summary counts what was appended so far,
    // earlier sessions included.
    [[nodiscard]] Manifest& manifest();
    // Bytes of an unfinished block, or of an unfinished session, that open_for_append dropped.
    [[nodiscard]] std::uint64_t dropped_bytes() const;
    // Whether open_for_append found a session that was to count as a whole and did not end.
    [[nodiscard]] bool rolled_back() const;
    // Damage that stays in the file, where open_for_append was to leave it.
    [[nodiscard]] const std::vector<Damage>& damage() const;

  private:
    explicit StoreWriter(std::unique_ptr<WriterState> state);

    std::unique_ptr<WriterState> state_;
};

}  // namespace solis::data
