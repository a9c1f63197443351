// Where games of a match begin: positions (EPD), lines (PGN) or walks through a Polyglot book.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/chess/position.h"

namespace solis::lab {

struct Opening {
    chess::Position start = chess::Position::start();
    std::vector<chess::Move> moves;

    friend bool operator==(const Opening&, const Opening&) = default;
};

struct OpeningOptions {
    std::string file;  // empty: the embedded list
    int plies = 16;    // of a PGN game or book walk that are played
    Seed seed{1};
    bool shuffled = true;      // else in the order of the file
    std::uint64_t rounds = 1;  // how many are needed
};

struct OpeningSet {
    std::string name;               // of the source
    std::uint64_t content = 0;      // hash of the source's bytes
    std::vector<Opening> openings;  // distinct, at least one
    std::vector<std::uint32_t> of_round;

    [[nodiscard]] const Opening& for_round(std::uint64_t round) const {
        return openings[of_round[round]];
    }
};

// The kind is told by the content and the name: .bin is Polyglot, text with '[' or moves is PGN,
// other text FEN or EPD lines. Openings in which the game is over, or that need Chess960 castling
// unless allowed, are refused by name. Round r gets the same opening whatever the number of rounds;
// when all have been used they come again in a new order.
[[nodiscard]] Result<OpeningSet> load_openings(const OpeningOptions& options, bool chess960);

// EPD text of the openings inside the binary.
[[nodiscard]] std::string_view embedded_openings();

}  // namespace solis::lab
