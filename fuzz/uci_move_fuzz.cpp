// First line a FEN, second line a move in UCI notation: what parses is legal and reads back.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"

namespace chess = solis::chess;

int uci_move_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto position = chess::parse_fen(text.substr(0, end));
    if (!position) return 0;
    const chess::MoveList moves = chess::legal_moves(*position);
    for (const chess::Move move : moves) {
        if (!chess::is_legal(*position, move)) std::abort();
        for (const auto style :
             {chess::CastlingNotation::Automatic, chess::CastlingNotation::KingTakesRook}) {
            const auto again = chess::parse_uci(*position, chess::to_uci(*position, move, style));
            if (!again || *again != move) std::abort();
        }
    }
    const auto move = chess::parse_uci(*position, text.substr(std::min(end + 1, text.size())));
    if (move && !moves.contains(*move)) std::abort();
    return 0;
}
