// The results of the games of a PGN file, with pairs of games from one opening.
#include "solis/lab/rating/pgn_results.h"

#include <map>
#include <tuple>

#include "solis/chess/pgn/reader.h"

namespace solis::lab {
namespace {

constexpr std::size_t kMostMessages = 5;

std::string tag_text(const chess::PgnGame& game, std::string_view name) {
    const std::string_view value = game.tag(name).value_or("");
    return value == "?" || value == "-" ? "" : std::string(value);
}

using PairKey = std::tuple<std::string, std::string, std::uint64_t, std::string>;

// White, Black and what their partner must share with them.
PairKey key_of(const PlayedGame& game, bool with_round, bool reversed_colours) {
    return {reversed_colours ? game.black : game.white, reversed_colours ? game.white : game.black,
            game.opening, with_round ? game.round : ""};
}

// Joins games among those not yet `taken`.
void add_pairs(ResultTable& table, const std::vector<PlayedGame>& games, std::vector<bool>& taken,
               bool with_round) {
    std::map<PairKey, std::vector<std::size_t>> waiting;  // first come, last in the list
    for (std::size_t i = games.size(); i-- > 0;) {
        const PlayedGame& game = games[i];
        if (taken[i] || (with_round && game.round.empty())) continue;
        waiting[key_of(game, with_round, false)].push_back(i);
    }
    for (std::size_t i = 0; i < games.size(); ++i) {
        const PlayedGame& game = games[i];
        if (taken[i] || (with_round && game.round.empty())) continue;
        const auto partners = waiting.find(key_of(game, with_round, true));
        if (partners == waiting.end()) continue;
        auto& list = partners->second;
        while (!list.empty() && taken[list.back()]) list.pop_back();
        if (list.empty()) continue;
        const std::size_t partner = list.back();
        taken[i] = taken[partner] = true;
        table.add_pair(table.player(game.white), table.player(game.black), game.white_result,
                       reversed(games[partner].white_result));
    }
}

// Takes over a game of the file where its tags say enough.
void take(const chess::PgnGame& game, PgnResults& results, std::vector<PlayedGame>& games) {
    ++results.games;
    const auto points = half_points(game.result());
    PlayedGame played{tag_text(game, "White"), tag_text(game, "Black"),
                      points.value_or(HalfPoints::Draw), game.start().key(),
                      tag_text(game, "Round")};
    played.round.resize(std::min(played.round.find('.'), played.round.size()));
    if (!points) {
        ++results.unfinished;
    } else if (played.white.empty() || played.black.empty()) {
        ++results.unnamed;
    } else if (played.white == played.black) {
        ++results.self_play;
    } else {
        games.push_back(std::move(played));
    }
}

}  // namespace

std::optional<HalfPoints> half_points(chess::GameResult result) {
    switch (result) {
        case chess::GameResult::WhiteWins:
            return HalfPoints::Win;
        case chess::GameResult::Draw:
            return HalfPoints::Draw;
        case chess::GameResult::BlackWins:
            return HalfPoints::Loss;
        case chess::GameResult::Unknown:
            break;
    }
    return std::nullopt;
}

void add_games(ResultTable& table, const std::vector<PlayedGame>& games) {
    std::vector<bool> taken(games.size());
    for (const PlayedGame& game : games) {  // numbers in the order of appearance
        table.player(game.white);
        table.player(game.black);
    }
    add_pairs(table, games, taken, true);
    add_pairs(table, games, taken, false);
    for (std::size_t i = 0; i < games.size(); ++i) {
        if (taken[i]) continue;
        table.add_game(table.player(games[i].white), table.player(games[i].black),
                       games[i].white_result);
    }
}

Result<void> read_pgn_results(ByteSource& source, PgnResults& results) {
    std::vector<PlayedGame> games;
    chess::PgnReader reader(source);
    chess::PgnGame game;
    for (;;) {
        const auto outcome = reader.next(game);
        if (!outcome) return tl::unexpected(outcome.error());
        if (*outcome == chess::PgnOutcome::End) break;
        if (*outcome == chess::PgnOutcome::Broken) {
            ++results.broken_count;
            if (results.broken.size() < kMostMessages) {
                results.broken.push_back(reader.error().message);
            }
            game.set_result(chess::result_from_string(game.tag("Result").value_or("*")));
        }
        take(game, results, games);
    }
    add_games(results.table, games);
    return {};
}

}  // namespace solis::lab
