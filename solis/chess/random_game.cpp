// Random games.
#include "solis/chess/random_game.h"

#include <array>
#include <string>

#include "solis/chess/random_positions.h"

namespace solis::chess {
namespace {

class RandomGame {
  public:
    RandomGame(Rng& rng, const RandomGameOptions& options, PgnGame& game)
        : rng_(rng), options_(options), game_(game) {}

    // Plays `plies` moves after `node`, from `position`. Returns where the line ended.
    Position play_line(std::uint32_t node, Position position, std::size_t plies, int depth) {
        for (std::size_t ply = 0; ply < plies; ++ply) {
            const MoveList moves = legal_moves(position);
            if (moves.empty()) break;
            const std::uint32_t parent = node;
            node = game_.add_move(parent, random_move(moves, rng_));
            annotate(node);
            if (options_.variations && depth < 3 && rng_.chance(0.1)) {
                add_variation(parent, position, depth + 1);
            }
            position = position.after(game_.node(node).move);
        }
        return position;
    }

  private:
    void add_variation(std::uint32_t parent, const Position& position, int depth) {
        if (rng_.chance(0.3)) {
            game_.add_comment(static_cast<std::uint32_t>(game_.nodes().size()), "or else", true);
        }
        const Move move = random_move(legal_moves(position), rng_);
        const std::uint32_t first = game_.add_move(parent, move);
        annotate(first);
        (void)play_line(first, position.after(move), rng_.below(6), depth);
    }

    void annotate(std::uint32_t node) {
        if (options_.evals_and_clocks) {
            const bool mate = rng_.chance(0.02);
            add(node, mate ? PgnNoteKind::Mate : PgnNoteKind::Centipawns,
                mate ? between(-9, 9) : between(-999, 999));
            add(node, PgnNoteKind::Clock, 1000 * between(0, 10800));
        }
        if (!options_.variations) return;
        if (rng_.chance(0.1)) add(node, PgnNoteKind::Nag, between(1, 255));
        if (rng_.chance(0.1)) add(node, PgnNoteKind::Elapsed, between(0, 100000));
        if (rng_.chance(0.2)) game_.add_comment(node, random_text());
    }

    int between(int low, int high) {
        return low + static_cast<int>(rng_.below(static_cast<std::uint64_t>(high - low) + 1));
    }

    void add(std::uint32_t node, PgnNoteKind kind, int value) {
        PgnNote note;
        note.node = node;
        note.kind = kind;
        note.value = value;
        game_.add_note(note);
    }

    std::string random_text() {
        constexpr std::array<std::string_view, 8> kWords{
            "a",     "novelty",       "[Event \"x\"]", "Nf3!",
            "(sic)", "\u00e9t\u00e9", ";%$",           "a-word-that-takes-some-room-on-its-line"};
        std::string text(kWords[rng_.below(kWords.size())]);
        for (std::uint64_t i = rng_.below(12); i > 0; --i) {
            text += rng_.chance(0.1) ? "  " : " ";
            text += kWords[rng_.below(kWords.size())];
        }
        return text;
    }

    Rng& rng_;
    const RandomGameOptions& options_;
    PgnGame& game_;
};

GameResult result_of(const Position& last) {
    if (has_legal_move(last)) return GameResult::Unknown;
    if (!last.in_check()) return GameResult::Draw;
    return last.side_to_move() == Color::White ? GameResult::BlackWins : GameResult::WhiteWins;
}

}  // namespace

void make_random_game(Rng& rng, const RandomGameOptions& options, PgnGame& game) {
    const Position start = game.start();
    game.clear();
    game.set_start(start);
    const Position last = RandomGame(rng, options, game).play_line(0, start, options.max_plies, 0);
    game.set_result(result_of(last));
}

}  // namespace solis::chess
