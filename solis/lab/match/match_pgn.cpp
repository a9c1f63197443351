// From a record to PGN.
#include "solis/lab/match/match_pgn.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/chess/pgn/writer.h"
#include "solis/data/formats/fields.h"

namespace solis::lab {
namespace {

void add_note(chess::PgnGame& pgn, std::uint32_t node, chess::PgnNoteKind kind, int value,
              int depth = 0) {
    chess::PgnNote note;
    note.node = node;
    note.kind = kind;
    note.value = value;
    note.depth = static_cast<std::uint16_t>(std::clamp(depth, 0, 9999));
    pgn.add_note(note);
}

void annotate(chess::PgnGame& pgn, std::uint32_t node, const PlayedMove& played,
              chess::Color mover) {
    if (!played.score.is_none()) {
        const data::Score white = data::seen_by(mover, played.score);
        const bool mate = white.is_mate();
        add_note(pgn, node, mate ? chess::PgnNoteKind::Mate : chess::PgnNoteKind::Centipawns,
                 mate ? data::mate_moves(white) : white.value(), played.depth);
    }
    add_note(pgn, node, chess::PgnNoteKind::Elapsed, std::max(played.time_ms, 0));
    if (played.nodes > 0) pgn.add_comment(node, fmt::format("{} nodes", played.nodes));
}

// As PGN's Termination tag has it.
const char* termination_of(Ending ending) {
    if (ending == Ending::TimeLoss) return "time forfeit";
    if (ending == Ending::IllegalMove) return "rules infraction";
    if (is_fault(ending)) return "abandoned";
    return ending >= Ending::AgreedDraw ? "adjudication" : "normal";
}

void add_tags(chess::PgnGame& pgn, const GameRecord& game, const PgnHeading& heading) {
    std::string date = game.started_at.substr(0, 10);
    std::replace(date.begin(), date.end(), '-', '.');
    pgn.add_tag("Event", heading.event);
    pgn.add_tag("Site", heading.site);
    pgn.add_tag("Date", date);
    pgn.add_tag("Round", std::to_string(game.number + 1));
    pgn.add_tag("White", game.white);
    pgn.add_tag("Black", game.black);
    pgn.add_tag("Result", chess::to_string(game.result));
    pgn.add_tag("Termination", termination_of(game.ending));
    pgn.add_tag("PlyCount", std::to_string(game.moves.size()));
}

}  // namespace

void append_pgn(std::string& text, const GameRecord& game, const PgnHeading& heading) {
    chess::PgnGame pgn;
    add_tags(pgn, game, heading);
    pgn.set_start(game.start);
    pgn.set_result(game.result);
    chess::Color mover = game.start.side_to_move();
    std::uint32_t node = 0;
    for (std::size_t i = 0; i < game.moves.size(); ++i, mover = ~mover) {
        node = pgn.add_move(node, game.moves[i].move);
        if (i >= game.book_plies) annotate(pgn, node, game.moves[i], mover);
    }
    std::string last(name_of(game.ending));
    if (game.at_fault) last = fmt::format("{} of {}", last, name_of(*game.at_fault));
    pgn.add_comment(node, last);
    chess::append_pgn(text, pgn);
}

}  // namespace solis::lab
