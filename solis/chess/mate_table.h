// Exact distances to mate against a bare king, for one or two pieces without pawns.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/position.h"

namespace solis::chess {

// All positions of White's king and `pieces` against Black's king, solved backwards from mate.
class MateTable {
  public:
    // Plies to mate with the best play of both sides; none: a draw, or no position at all.
    using Plies = std::optional<int>;

    // Where everything stands. With one piece, `second` is Square::None.
    struct Placement {
        Square white_king, black_king, first, second;
    };

    [[nodiscard]] Plies white_to_move(const Placement& where) const {
        return known(white_[slot(where)]);
    }
    [[nodiscard]] Plies black_to_move(const Placement& where) const {
        return known(black_[slot(where)]);
    }

  private:
    friend class MateSolver;
    static constexpr std::uint8_t kUnknown = 255;

    [[nodiscard]] static Plies known(std::uint8_t plies) {
        return plies == kUnknown ? Plies() : Plies(plies);
    }
    [[nodiscard]] static std::size_t slot(const Placement& where) {
        const int second = where.second == Square::None ? 0 : index(where.second);
        return static_cast<std::size_t>(index(where.white_king) | index(where.black_king) << 6 |
                                        index(where.first) << 12 | second << 18);
    }

    std::vector<std::uint8_t> white_, black_;  // plies by slot, for the side to move
};

// Tables by the attacker's pieces, made when they are first asked for: two pieces take some
// seconds and 34 MB.
class MateTables {
  public:
    // One or two of Q, R, B, N, in any order. The error names what is wrong with them.
    [[nodiscard]] static Result<std::string> parse_pieces(std::string_view pieces);

    // Whether there is a table for the position: one side has nothing but its king, the other one
    // or two pieces besides it, no pawns.
    [[nodiscard]] static bool cover(const Position& position);

    // Plies to mate, by either colour's bare king; none where it is a draw. The tables must cover
    // the position.
    [[nodiscard]] MateTable::Plies plies_to_mate(const Position& position);

  private:
    [[nodiscard]] const MateTable& table(const std::string& pieces);

    std::map<std::string, std::unique_ptr<const MateTable>> tables_;
};

}  // namespace solis::chess
