// The store that a labelling run writes, and continues after an interruption.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>

#include "solis/base/result.h"
#include "solis/data/labelled_game.h"
#include "solis/data/store/manifest.h"
#include "solis/data/store/writer.h"

namespace solis::lab {

class LabelStore {
  public:
    // Creates the file, or continues one that was begun with the same origin (sources and
    // labellers); any other file is refused. A crash loses the games of the last `save_every`. A
    // damaged store is refused, or continued behind its damage: games are numbered by how many
    // there are, so it must be known how many were lost.
    [[nodiscard]] static Result<LabelStore> open(const std::filesystem::path& path,
                                                 const data::Manifest& origin,
                                                 std::chrono::milliseconds save_every,
                                                 data::OnDamage on_damage = data::OnDamage::Stop);

    // Games of earlier sessions and of this one.
    [[nodiscard]] const data::StoreSummary& summary() { return writer_.manifest().summary; }
    // Whether earlier sessions left games.
    [[nodiscard]] bool continued() const { return continued_; }
    // Bytes of a block that a crash left unfinished; its games are labelled again.
    [[nodiscard]] std::uint64_t dropped_bytes() const { return writer_.dropped_bytes(); }

    // Damage that stays in the store.
    [[nodiscard]] const std::vector<data::Damage>& damage() const { return writer_.damage(); }

    // What is not yet on the disk is written now and then.
    [[nodiscard]] Result<void> add(const data::LabelledGame& game);
    [[nodiscard]] Result<void> close() { return writer_.close(); }

  private:
    using Clock = std::chrono::steady_clock;

    LabelStore(data::StoreWriter writer, bool continued, std::chrono::milliseconds save_every)
        : writer_(std::move(writer)), continued_(continued), save_every_(save_every) {}

    data::StoreWriter writer_;
    bool continued_;
    std::chrono::milliseconds save_every_;
    Clock::time_point last_save_ = Clock::now();
};

}  // namespace solis::lab
