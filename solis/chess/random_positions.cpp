// Drawing moves and squares.
#include "solis/chess/random_positions.h"

namespace solis::chess {

Game random_opening(int plies, Rng& rng) {
    for (;;) {
        Game game;
        for (int ply = 0; ply < plies; ++ply) {
            const MoveList moves = legal_moves(game.position());
            if (moves.empty()) break;
            game.push(random_move(moves, rng));
        }
        if (!game.outcome(Claims::Counted)) return game;
    }
}

const Position& RandomWalk::next() {
    // Bare kings would walk for ever.
    const bool begins_again = plies_ == most_plies_ || outcome(position_, Claims::Counted);
    plies_ = begins_again ? 0 : plies_ + 1;
    position_ = begins_again ? Position::start()
                             : position_.after(random_move(legal_moves(position_), rng_));
    return position_;
}

Setup random_placement(std::string_view pieces, Rng& rng) {
    Setup setup;
    const auto put = [&](Piece piece) {
        std::size_t square = rng.below(64);
        while (setup.board[square] != Piece::None) square = rng.below(64);
        setup.board[square] = piece;
    };
    put(Piece::WhiteKing);
    put(Piece::BlackKing);
    for (const char letter : pieces) put(piece_from_char(letter));
    setup.side_to_move = Color::White;
    return setup;
}

}  // namespace solis::chess
