// Choosing games and finding where they turned.
#include "solis/cli/paper/report_games.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "solis/analysis/analyst.h"
#include "solis/analysis/space/trace.h"
#include "solis/base/byte_source.h"
#include "solis/chess/pgn/reader.h"

namespace solis::cli {
namespace {

// Points of SOLIS, doubled.
std::optional<int> doubled_points(const lab::GameRecord& game, const std::string& solis) {
    switch (game.result) {
        case chess::GameResult::WhiteWins:
            return game.white == solis ? 2 : 0;
        case chess::GameResult::BlackWins:
            return game.black == solis ? 2 : 0;
        case chess::GameResult::Draw:
            return 1;
        case chess::GameResult::Unknown:
            break;
    }
    return std::nullopt;
}

// "stockfish-1700" before "stockfish-900": longer names are larger numbers.
bool stronger(const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a > b;
}

const lab::GameRecord* find_game(const lab::LadderColumn& column, int wanted,
                                 const std::vector<const lab::GameRecord*>& taken) {
    const std::string solis = column.config.name();
    const lab::GameRecord* best = nullptr;
    for (const lab::GameRecord& game : column.games) {
        if (doubled_points(game, solis) != wanted) continue;
        if (std::ranges::find(taken, &game) != taken.end()) continue;
        const auto rival = [&](const lab::GameRecord& one) {
            return one.white == solis ? one.black : one.white;
        };
        if (best == nullptr || stronger(rival(game), rival(*best))) best = &game;
    }
    return best;
}

analysis::SeenGame seen_record(const lab::GameRecord& game) {
    analysis::SeenGame seen;
    seen.result = game.result;
    seen.positions.push_back(game.start);
    for (const lab::PlayedMove& played : game.moves) {
        seen.moves.push_back(played.move);
        seen.positions.push_back(seen.positions.back().after(played.move));
    }
    return seen;
}

// `opening`: plies that nobody chose, which are never the critical moment.
lab::ReportGame shown_game(std::string title, const analysis::SeenGame& game, std::size_t opening,
                           const analysis::SpaceModel& model, ThreadPool& pool) {
    lab::ReportGame shown;
    shown.title = std::move(title);
    const analysis::GameTrace trace = analysis::trace_game(game, model, game.moves.size(), pool);
    shown.moves = analysis::san_line(game.positions[0], game.moves);
    for (const analysis::KeyMoment& moment : trace.key_moments) {
        if (moment.ply <= opening) continue;
        shown.critical = game.positions[moment.ply - 1];
        shown.played = game.moves[moment.ply - 1];
        shown.caption = fmt::format(
            "Before {}, after which White's win probability went from {:.0f} to {:.0f} %.",
            moment.move, 100 * moment.before, 100 * moment.after);
        break;
    }
    if (opening > 0) shown.caption += fmt::format(" The first {} plies are the opening.", opening);
    return shown;
}

std::string title_of(const lab::GameRecord& game) {
    return fmt::format("{} – {}: {}, {}.", game.white, game.black, chess::to_string(game.result),
                       lab::name_of(game.ending));
}

}  // namespace

std::vector<lab::ReportGame> chosen_games(const std::vector<lab::LadderColumn>& columns,
                                          const analysis::SpaceModel& model, ThreadPool& pool) {
    const lab::LadderColumn* chosen = nullptr;
    for (const lab::LadderColumn& column : columns) {
        const auto rank = [](const lab::LadderColumn& one) {
            return std::pair(one.config.depth, one.config.width == 3 ? 100 : one.config.width);
        };
        if (chosen == nullptr || rank(column) > rank(*chosen)) chosen = &column;
    }
    std::vector<lab::ReportGame> games;
    if (chosen == nullptr) return games;
    std::vector<const lab::GameRecord*> taken;
    for (const int wanted : {2, 0, 1, 2}) {
        const lab::GameRecord* const game = find_game(*chosen, wanted, taken);
        if (game == nullptr) continue;
        taken.push_back(game);
        games.push_back(
            shown_game(title_of(*game), seen_record(*game), game->book_plies, model, pool));
    }
    return games;
}

Result<std::vector<lab::ReportGame>> printed_games(const analysis::SpaceModel& model,
                                                   ThreadPool& pool) {
    const auto source = memory_source(lab::paper_games());
    chess::PgnReader reader(*source);
    chess::PgnGame game;
    std::vector<lab::ReportGame> games;
    for (;;) {
        const auto outcome = reader.next(game);
        if (!outcome) return tl::unexpected(outcome.error());
        if (*outcome != chess::PgnOutcome::Game) return games;
        const std::string title =
            fmt::format("{} (printed): {} – {}, {}.", game.tag("Event").value_or(""),
                        game.tag("White").value_or(""), game.tag("Black").value_or(""),
                        chess::to_string(game.result()));
        games.push_back(shown_game(title, analysis::seen_game(game), 0, model, pool));
    }
}

}  // namespace solis::cli
