// Retrograde analysis: from the mates backwards, one ply at a time.
#include "solis/chess/mate_table.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/chess/attacks.h"

namespace solis::chess {
namespace {

constexpr std::string_view kMatePieces = "QRBN";

PieceType mate_piece(char letter) { return type_of(piece_from_char(letter)); }

}  // namespace

// Fills one table. Black's captures leave it: they lead to a table with one piece less.
class MateSolver {
  public:
    MateSolver(const std::string& pieces, std::array<const MateTable*, 2> without)
        : without_(without) {
        for (const char letter : pieces) types_.push_back(mate_piece(letter));
    }

    MateTable solve() {
        const std::size_t slots = types_.size() == 2 ? std::size_t{1} << 24 : std::size_t{1} << 18;
        table_.white_.assign(slots, MateTable::kUnknown);
        table_.black_.assign(slots, MateTable::kUnknown);
        open_moves_.assign(slots, 0);
        for (std::size_t slot = 0; slot < slots; ++slot) enter_black(slot);
        for (std::size_t plies = 0; plies < waiting_.size(); ++plies) {
            // Lists of later plies grow while this one is worked through.
            const std::vector<std::uint32_t> slots_now = std::move(waiting_[plies]);
            for (const std::uint32_t slot : slots_now) {
                plies % 2 == 0 ? spread_black(slot, plies) : spread_white(slot);
            }
        }
        return std::move(table_);
    }

  private:
    // A position of either side to move, taken apart.
    struct Board {
        Square white_king, black_king;
        std::array<Square, 2> at;

        [[nodiscard]] std::size_t slot() const {
            return MateTable::slot({white_king, black_king, at[0], at[1]});
        }
    };
    static constexpr std::uint8_t kNeverLost = 255;

    [[nodiscard]] Board board_of(std::size_t slot) const {
        const auto square = [&](int shift) {
            return square_at(static_cast<int>(slot >> shift) & 63);
        };
        return {square(0), square(6), {square(12), types_.size() == 2 ? square(18) : Square::None}};
    }
    [[nodiscard]] Bitboard whites(const Board& board) const {
        Bitboard set = bit(board.white_king);
        for (std::size_t i = 0; i < types_.size(); ++i) set |= bit(board.at[i]);
        return set;
    }
    [[nodiscard]] bool is_possible(const Board& board) const {
        const Bitboard all = whites(board) | bit(board.black_king);
        return count(all) == static_cast<int>(types_.size()) + 2 &&
               (king_attacks(board.white_king) & bit(board.black_king)) == 0;
    }
    // What White attacks when Black's king is not in the way; `gone` stands no more.
    [[nodiscard]] Bitboard attacked(const Board& board, Square gone) const {
        const Bitboard occupied = whites(board) & ~(gone == Square::None ? 0 : bit(gone));
        Bitboard set = king_attacks(board.white_king);
        for (std::size_t i = 0; i < types_.size(); ++i) {
            if (board.at[i] != gone) set |= piece_attacks(types_[i], board.at[i], occupied);
        }
        return set;
    }
    [[nodiscard]] bool in_check(const Board& board) const {
        return (attacked(board, Square::None) & bit(board.black_king)) != 0;
    }

    // Plies to mate after Black has taken the piece on `square`; none: a draw.
    [[nodiscard]] MateTable::Plies after_capture(const Board& board, Square square) const {
        const std::size_t taken = board.at[0] == square ? 0 : 1;
        if (without_[taken] == nullptr) return std::nullopt;
        return without_[taken]->white_to_move(
            {board.white_king, square, board.at[1 - taken], Square::None});
    }

    // Counts Black's moves; mates on the board start the analysis.
    void enter_black(std::size_t slot) {
        const Board board = board_of(slot);
        open_moves_[slot] = kNeverLost;
        if (!is_possible(board)) return;
        const Bitboard steps = king_attacks(board.black_king) & ~king_attacks(board.white_king);
        const Bitboard own = whites(board);
        const int free = count(steps & ~own & ~attacked(board, Square::None));
        int captures = 0;
        for (Bitboard targets = steps & own; targets != 0;) {
            const Square square = pop_lowest(targets);
            if ((attacked(board, square) & bit(square)) != 0) continue;
            if (!after_capture(board, square)) return;
            ++captures;
        }
        open_moves_[slot] = static_cast<std::uint8_t>(free);
        if (free > 0) return;
        if (captures > 0) {
            settle_black(board, slot);
        } else if (in_check(board)) {
            settle(table_.black_, slot, 0);
        } else {
            open_moves_[slot] = kNeverLost;  // stalemate
        }
    }

    // Every move of Black's loses: the longest of them is his.
    void settle_black(const Board& board, std::size_t slot) {
        int plies = 0;
        const Bitboard steps = king_attacks(board.black_king) & ~king_attacks(board.white_king);
        const Bitboard own = whites(board);
        for (Bitboard targets = steps; targets != 0;) {
            const Square square = pop_lowest(targets);
            const bool takes = (own & bit(square)) != 0;
            if ((attacked(board, takes ? square : Square::None) & bit(square)) != 0) continue;
            Board next = board;
            next.black_king = square;
            const auto after =
                takes ? after_capture(board, square) : MateTable::known(table_.white_[next.slot()]);
            plies = std::max(plies, after.value_or(0) + 1);
        }
        settle(table_.black_, slot, static_cast<std::size_t>(plies));
    }

    void settle(std::vector<std::uint8_t>& table, std::size_t slot, std::size_t plies) {
        table[slot] = static_cast<std::uint8_t>(plies);
        if (waiting_.size() <= plies) waiting_.resize(plies + 1);
        waiting_[plies].push_back(static_cast<std::uint32_t>(slot));
    }

    // Black is lost in `plies`: every move of White's that leads here wins.
    void spread_black(std::size_t slot, std::size_t plies) {
        const Board board = board_of(slot);
        const Bitboard occupied = whites(board) | bit(board.black_king);
        const auto win_from = [&](const Board& before) {
            const std::size_t from = before.slot();
            if (table_.white_[from] != MateTable::kUnknown || in_check(before)) return;
            settle(table_.white_, from, plies + 1);
        };
        const Bitboard beside = king_attacks(board.white_king) & ~occupied;
        for (Bitboard from = beside & ~king_attacks(board.black_king); from != 0;) {
            Board before = board;
            before.white_king = pop_lowest(from);
            win_from(before);
        }
        for (std::size_t i = 0; i < types_.size(); ++i) {
            Bitboard from = piece_attacks(types_[i], board.at[i], occupied) & ~occupied;
            while (from != 0) {
                Board before = board;
                before.at[i] = pop_lowest(from);
                win_from(before);
            }
        }
    }

    // White wins: Black's moves that lead here are lost.
    void spread_white(std::size_t slot) {
        const Board board = board_of(slot);
        Bitboard from =
            king_attacks(board.black_king) & ~king_attacks(board.white_king) & ~whites(board);
        while (from != 0) {
            Board before = board;
            before.black_king = pop_lowest(from);
            const std::size_t at = before.slot();
            if (open_moves_[at] == kNeverLost || open_moves_[at] == 0) continue;
            if (--open_moves_[at] == 0) settle_black(before, at);
        }
    }

    std::vector<PieceType> types_;
    std::array<const MateTable*, 2> without_;  // the table without the first, second piece
    MateTable table_;
    std::vector<std::uint8_t> open_moves_;             // of Black, not known to lose yet
    std::vector<std::vector<std::uint32_t>> waiting_;  // slots by plies to mate
};

Result<std::string> MateTables::parse_pieces(std::string_view pieces) {
    std::string sorted(pieces);
    if (sorted.empty() || sorted.size() > 2 ||
        sorted.find_first_not_of(kMatePieces) != std::string::npos) {
        return fail(fmt::format("'{}' is no ending with a bare king that can be solved", pieces),
                    "name one or two of Q, R, B and N, for example BB");
    }
    std::sort(sorted.begin(), sorted.end(),
              [](char a, char b) { return kMatePieces.find(a) < kMatePieces.find(b); });
    return sorted;
}

bool MateTables::cover(const Position& position) {
    const int white = count(position.pieces(Color::White));
    const int black = count(position.pieces(Color::Black));
    return std::min(white, black) == 1 && white != black && white + black <= 4 &&
           position.pieces(PieceType::Pawn) == 0;
}

const MateTable& MateTables::table(const std::string& pieces) {
    std::unique_ptr<const MateTable>& slot = tables_[pieces];
    if (slot == nullptr) {
        std::array<const MateTable*, 2> without{};
        if (pieces.size() == 2) without = {&table(pieces.substr(1)), &table(pieces.substr(0, 1))};
        slot = std::make_unique<const MateTable>(MateSolver(pieces, without).solve());
    }
    return *slot;
}

MateTable::Plies MateTables::plies_to_mate(const Position& position) {
    const bool white_bare = !more_than_one(position.pieces(Color::White));
    const Position seen = white_bare ? position.color_flipped() : position;
    std::string pieces;
    std::array<Square, 2> at{Square::None, Square::None};
    for (const char letter : kMatePieces) {
        for (Bitboard set = seen.pieces(Color::White, mate_piece(letter)); set != 0;) {
            if (pieces.size() == 2) return std::nullopt;
            at[pieces.size()] = pop_lowest(set);
            pieces += letter;
        }
    }
    if (pieces.empty()) return std::nullopt;
    const MateTable::Placement where{seen.king(Color::White), seen.king(Color::Black), at[0],
                                     at[1]};
    const MateTable& known = table(pieces);
    return seen.side_to_move() == Color::White ? known.white_to_move(where)
                                               : known.black_to_move(where);
}

}  // namespace solis::chess
