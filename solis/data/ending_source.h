// Random endings against a bare king with their exact distances to mate, as labelled games.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solis/base/rng.h"
#include "solis/data/game_source.h"

namespace solis::data {

struct EndingOptions {
    // The attacker's pieces besides the king, as chess::MateTables::parse_pieces takes them; each
    // position draws one.
    std::vector<std::string> pieces{"Q", "R", "BB", "BN", "QR", "QQ", "RR", "QB", "QN", "RB", "RN"};
    int children = 4;  // random moves that are labelled, too
    Seed seed{1};
};

// Games of one position whose labels, and those of some moves from it, are "mate in n", "mated in
// n" or a draw. Never ends. Solves all endings first, about five seconds for each of two pieces;
// `solved` is told after each how many of them are done.
[[nodiscard]] Result<std::unique_ptr<GameSource>> make_ending_source(
    const EndingOptions& options, const std::function<void(std::size_t)>& solved = {});

}  // namespace solis::data
