// First line a FEN, second line a move: what parses is legal and survives a round trip.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/san.h"

namespace chess = solis::chess;

int san_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::size_t end = std::min(text.find('\n'), text.size());
    const auto position = chess::parse_fen(text.substr(0, end));
    if (!position) return 0;
    const chess::MoveList moves = chess::legal_moves(*position);
    for (const chess::Move move : moves) {
        if (chess::match_san(*position, chess::to_san(*position, move)) != move) std::abort();
    }
    const auto move = chess::parse_san(*position, text.substr(std::min(end + 1, text.size())));
    if (move && !moves.contains(*move)) std::abort();
    if (!move && move.error().message.empty()) std::abort();
    return 0;
}
