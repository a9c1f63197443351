// The results of recorded matches and of files of either kind, for ratings.
#include "solis/lab/rating/record_results.h"

#include <fstream>

#include "solis/lab/match/ranks.h"

namespace solis::lab {
namespace {

// PGN never begins so.
bool is_match_log(const std::string& path) {
    constexpr std::string_view kBegin = "{\"format\"";
    std::string begin(kBegin.size(), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    return file && begin == kBegin;
}

Result<void> read_log(const std::string& path, PgnResults& results) {
    const auto games = read_all_logs(path);
    if (!games) return tl::unexpected(games.error());
    results.games += games->size();
    for (const GameRecord& game : *games) results.unfinished += half_points(game.result) ? 0 : 1;
    add_records(results.table, *games);
    return {};
}

}  // namespace

void add_records(ResultTable& table, std::span<const GameRecord> games) {
    std::vector<PlayedGame> played;
    for (const GameRecord& game : games) {
        const auto result = half_points(game.result);
        if (!result || game.white == game.black) continue;
        // The number of the pair stands for the opening and for the round.
        played.push_back({game.white, game.black, *result, game.number / 2, ""});
    }
    add_games(table, played);
}

Result<PgnResults> read_results(std::span<const std::string> paths) {
    PgnResults results;
    for (const std::string& path : paths) {
        if (path != "-" && is_match_log(path)) {
            if (auto ok = read_log(path, results); !ok) return tl::unexpected(ok.error());
            continue;
        }
        const auto source = open_input(path);
        if (!source) return tl::unexpected(source.error());
        if (auto ok = read_pgn_results(**source, results); !ok) return fail_in(path, ok.error());
    }
    return results;
}

}  // namespace solis::lab
