// How a game ended.
#pragma once
#include <cstdint>
#include <string_view>

namespace solis::chess {

enum class GameResult : std::uint8_t { Unknown, WhiteWins, Draw, BlackWins };

// "1-0", "1/2-1/2", "0-1" or "*".
[[nodiscard]] constexpr std::string_view to_string(GameResult result) {
    switch (result) {
        case GameResult::WhiteWins:
            return "1-0";
        case GameResult::Draw:
            return "1/2-1/2";
        case GameResult::BlackWins:
            return "0-1";
        case GameResult::Unknown:
            break;
    }
    return "*";
}
// The inverse of to_string; any other text is Unknown.
[[nodiscard]] constexpr GameResult result_from_string(std::string_view text) {
    for (const GameResult result :
         {GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins}) {
        if (to_string(result) == text) return result;
    }
    return GameResult::Unknown;
}

}  // namespace solis::chess
