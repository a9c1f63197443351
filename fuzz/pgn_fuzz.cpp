// Any bytes are read to their end; each good game survives writing and reading.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/pgn/reader.h"
#include "solis/chess/pgn/writer.h"

namespace chess = solis::chess;

namespace {

void check_round_trip(const chess::PgnGame& game) {
    const std::string text = chess::to_pgn(game);
    const auto source = solis::memory_source(text);
    chess::PgnReader reader(*source);
    chess::PgnGame again;
    if (reader.next(again) != chess::PgnOutcome::Game) std::abort();
    if (chess::to_pgn(again) != text) std::abort();
    if (again.nodes().size() != game.nodes().size()) std::abort();
    if (again.notes().size() != game.notes().size()) std::abort();
    chess::PgnGame end;
    if (reader.next(end) != chess::PgnOutcome::End) std::abort();
}

}  // namespace

int pgn_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto source = solis::memory_source(text);
    chess::PgnReader reader(*source);
    chess::PgnGame game;
    for (;;) {
        const auto outcome = reader.next(game);
        if (!outcome) std::abort();
        if (*outcome == chess::PgnOutcome::End) return 0;
        if (*outcome == chess::PgnOutcome::Game) check_round_trip(game);
        if (*outcome == chess::PgnOutcome::Broken && reader.error().message.empty()) std::abort();
    }
}
