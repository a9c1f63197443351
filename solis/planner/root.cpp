// Root moves, filtered by the user and by tablebases.
#include "solis/planner/root.h"

#include <algorithm>

#include "solis/chess/bitboard.h"
#include "solis/chess/movegen.h"

namespace solis::planner {
namespace {

using chess::Wdl;

Value value_of(Wdl wdl, int ply, const ValueScale& scale, chess::Color mover) {
    switch (wdl) {
        case Wdl::Win:
            return kTablebaseWin - ply;
        case Wdl::Loss:
            return -kTablebaseWin + ply;
        default:
            return scale.draw(mover);
    }
}

bool is_as_good(const chess::TablebaseMove& move, const chess::TablebaseMove& best) {
    return move.wdl == best.wdl && (best.wdl != Wdl::Win || move.dtz == best.dtz);
}

}  // namespace

RootMoves root_moves(const chess::Position& root, const std::vector<chess::Move>& asked_for,
                     const chess::Tablebase* tablebase, const ValueScale& scale) {
    const auto wanted = [&](chess::Move move) {
        return asked_for.empty() ||
               std::find(asked_for.begin(), asked_for.end(), move) != asked_for.end();
    };
    RootMoves result;
    for (const chess::Move move : chess::legal_moves(root)) {
        if (wanted(move)) result.moves.push_back(move);
    }
    if (tablebase == nullptr || result.moves.empty()) return result;
    std::vector<chess::TablebaseMove> known = tablebase->probe_root(root);
    std::erase_if(known, [&](const chess::TablebaseMove& move) { return !wanted(move.move); });
    if (known.empty()) return result;
    result.moves.clear();
    for (const chess::TablebaseMove& move : known) {
        if (is_as_good(move, known.front())) result.moves.push_back(move.move);
    }
    result.tablebase_value = value_of(known.front().wdl, 0, scale, root.side_to_move());
    return result;
}

std::optional<Value> tablebase_value(const chess::Tablebase* tablebase,
                                     const chess::Position& position, int ply,
                                     const ValueScale& scale) {
    if (tablebase == nullptr || position.halfmove_clock() != 0 ||
        chess::count(position.pieces()) > tablebase->largest()) {
        return std::nullopt;
    }
    const std::optional<Wdl> wdl = tablebase->probe_wdl(position);
    if (!wdl) return std::nullopt;
    return value_of(*wdl, ply, scale, position.side_to_move());
}

}  // namespace solis::planner
