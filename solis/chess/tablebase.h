// Syzygy endgame tablebases, through the Fathom library.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/position.h"

namespace solis::chess {

// Value for the side to move. Cursed wins and blessed losses are draws by the fifty-move rule that
// would be decided without it.
enum class Wdl : signed char { Loss = -2, BlessedLoss = -1, Draw = 0, CursedWin = 1, Win = 2 };

struct TablebaseMove {
    Move move;
    Wdl wdl;  // for the side that plays the move
    int dtz;  // plies to the next capture or pawn move, or to mate, with best play; 0 for a draw
};

// The folders opened. Fathom keeps its tables in global variables, so there is at most one
// Tablebase at a time; its end allows the next.
class Tablebase {
  public:
    // `path` is one folder or several separated by ':'. Fails if a folder is missing, if there are
    // no tables, if a file is not a Syzygy table, or if another Tablebase is open. The content of
    // the tables is trusted: Fathom does not check it.
    [[nodiscard]] static Result<Tablebase> open(const std::string& path);

    Tablebase(Tablebase&& other) noexcept;
    Tablebase& operator=(Tablebase&& other) noexcept;
    ~Tablebase();

    // Most pieces, kings included, that any table knows.
    [[nodiscard]] int largest() const;

    // Value with the fifty-move rule, for use in a search; threads may call it at once. Nothing if
    // no table knows the position, with castling rights, and with a halfmove clock other than 0:
    // the tables assume 0, and with less of the clock left a win may be none.
    [[nodiscard]] std::optional<Wdl> probe_wdl(const Position& position) const;

    // All legal moves, best first: for a win the quickest progress, for a loss the longest
    // resistance. The halfmove clock counts: a move that wins too late is a CursedWin. Playing the
    // first move every time wins every Win. Empty if a table is missing, with castling rights, and
    // without a legal move. Needs DTZ tables. For the root of a search: calls wait for each other.
    [[nodiscard]] std::vector<TablebaseMove> probe_root(const Position& position) const;

  private:
    Tablebase() = default;
    void close();

    bool open_ = true;  // false after being moved from
};

}  // namespace solis::chess
