// Any text either is refused or parses to a position that survives a round trip.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"

namespace chess = solis::chess;

int fen_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto position = chess::parse_fen(text);
    if (!position) return 0;
    for (const chess::CastlingFen style :
         {chess::CastlingFen::XFen, chess::CastlingFen::Shredder}) {
        const auto again = chess::parse_fen(chess::to_fen(*position, style));
        if (!again || !(*again == *position)) std::abort();
    }
    for (const chess::Move move : chess::legal_moves(*position)) {
        const chess::Position child = position->after(move);
        if (child.key() != child.recomputed_key()) std::abort();
    }
    return 0;
}
