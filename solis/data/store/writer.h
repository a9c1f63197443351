// Writes games into a store file, block by block; a crash costs at most the unfinished block.
// The format is described in docs/formats/store.md.
#pragma once
#include <filesystem>
#include <memory>

#include "solis/base/result.h"
#include "solis/data/labelled_game.h"
#include "solis/data/store/manifest.h"

namespace solis::data {

// The usual extension of store files.
inline constexpr std::string_view kStoreExtension = ".sgt";

struct StoreOptions {
    int zstd_level = 3;
    // A block is written when it holds at least this many positions.
    std::uint32_t block_positions = std::uint32_t{1} << 16;
    // Only for create(): the file gets its name when it is closed, and vanishes if it never is.
    // For conversions, where half a result is worse than none.
    bool appears_when_closed = false;
};

class StoreWriter {
  public:
    // A new file; fails if there is one already. The manifest's summary is ignored.
    [[nodiscard]] static Result<StoreWriter> create(const std::filesystem::path& path,
                                                    const Manifest& manifest,
                                                    const StoreOptions& options = {});
    // Goes on with an existing file, after dropping a tail that a crash left unfinished.
    // One writer per file: a second one fails.
    [[nodiscard]] static Result<StoreWriter> open_for_append(const std::filesystem::path& path,
                                                             const StoreOptions& options = {});
    StoreWriter(StoreWriter&&) noexcept;
    StoreWriter& operator=(StoreWriter&&) noexcept;
    // Closes if that was not done, ignoring errors; drops a file that appears when closed.
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
    // Bytes of an unfinished block that open_for_append dropped.
    [[nodiscard]] std::uint64_t dropped_bytes() const;

  private:
    struct State;
    explicit StoreWriter(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace solis::data
