// Identities of games: what is the same game, and which split it belongs to.
#pragma once
#include <cstdint>
#include <string_view>

#include "solis/base/result.h"
#include "solis/data/labelled_game.h"

namespace solis::data {

// Over everything in the game, labels included.
[[nodiscard]] std::uint64_t game_hash(const LabelledGame& game);
// Over start position (without counters) and the line's moves: labels and branches do not count.
// Two labellings of one game are the same game.
[[nodiscard]] std::uint64_t game_identity(const LabelledGame& game);

enum class Split : std::uint8_t { Train, Validation, Test };
[[nodiscard]] std::string_view name_of(Split split);
[[nodiscard]] Result<Split> split_from_name(std::string_view name);

// Shares in tenths of a percent; what is left goes to training.
struct SplitShares {
    unsigned validation = 20;
    unsigned test = 20;

    friend bool operator==(const SplitShares&, const SplitShares&) = default;
};

// Decided by start position and the first eight moves alone. Games that open alike share their
// early positions, so they must not be torn apart; and the answer never changes when games are
// added, labelled again or stored in another order.
[[nodiscard]] Split split_of(const LabelledGame& game, SplitShares shares = {});

}  // namespace solis::data
