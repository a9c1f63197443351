// Games and positions in requests and answers.
#pragma once
#include <string>
#include <vector>

#include "solis/chess/fen.h"
#include "solis/chess/game.h"
#include "solis/chess/uci_move.h"
#include "solis/studio/api/json.h"

namespace solis::studio {

// How positions and moves are written.
struct Notation {
    bool chess960 = false;

    [[nodiscard]] std::string fen(const chess::Position& position) const;
    [[nodiscard]] std::string uci(const chess::Position& position, chess::Move move) const;
    // {"uci", "san"} and, where asked for, {"fen"} of the position after it.
    [[nodiscard]] Json move(const chess::Position& position, chess::Move move,
                            bool with_fen = false) const;
};

struct ApiGame {
    chess::Game game;
    Notation notation;
};

// The fields "fen", "moves" and "chess960".
[[nodiscard]] ApiGame read_api_game(Fields& fields);
// UCI or SAN.
[[nodiscard]] Answer<chess::Move> read_api_move(const chess::Position& position,
                                                const std::string& text, const std::string& field);
// The field "fens"; also those of finished games.
[[nodiscard]] std::vector<chess::Position> read_api_fens(Fields& fields, std::size_t most);

[[nodiscard]] Json position_json(const ApiGame& game);
// The start position of Chess960 with that number, 0 to 959.
[[nodiscard]] std::string chess960_fen(int number);

// Three digits after the point of a percent are more than a probability is worth.
[[nodiscard]] double rounded(double value);

}  // namespace solis::studio
