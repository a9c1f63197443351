// A match as it stands, and a run as it learns.
#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>
#include <set>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/lab/match/game_log.h"
#include "solis/lab/match/match_report.h"
#include "solis/lab/match/standings.h"
#include "solis/lab/shallow_json.h"
#include "solis/studio/think/events.h"
#include "solis/studio/watch/watch.h"

namespace solis::studio {
namespace {

constexpr std::size_t kLastGames = 12;
constexpr std::size_t kMostRows = 5000;  // of one event

// JSON knows no infinity.
Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json score_json(const lab::ScoreCount& count) {
    Json json{{"games", count.games()},
              {"wins", count.wins},
              {"draws", count.draws},
              {"losses", count.losses}};
    const auto estimate = lab::estimate(count);
    json["score"] = estimate ? finite(estimate->score) : Json();
    json["elo"] = estimate ? finite(estimate->elo) : Json();
    const bool known = estimate && estimate->elo_95;
    json["elo_low"] = known ? finite(estimate->elo_95->low) : Json();
    json["elo_high"] = known ? finite(estimate->elo_95->high) : Json();
    json["elo_text"] = estimate ? lab::elo_text(count) : "";
    json["los"] = estimate ? finite(estimate->los) : Json();
    return json;
}

Json played_game_json(const lab::GameRecord& game) {
    Json moves = Json::array(), scores = Json::array();
    chess::Position position = game.start;
    for (const lab::PlayedMove& played : game.moves) {
        const bool white = position.side_to_move() == chess::Color::White;
        moves.push_back(chess::to_uci(position, played.move));
        const data::Score score = white ? played.score : played.score.negated();
        scores.push_back(score.is_none() ? Json() : Json(score.value()));
        position = position.after(played.move);
    }
    return {{"number", game.number},
            {"white", game.white},
            {"black", game.black},
            {"result", chess::to_string(game.result)},
            {"ending", lab::name_of(game.ending)},
            {"note", game.note},
            {"start", chess::to_fen(game.start)},
            {"book", game.book_plies},
            {"moves", std::move(moves)},
            {"fen", chess::to_fen(position)},
            {"cp", std::move(scores)},
            {"duration", game.duration_ms},
            {"started", game.started_at}};
}

class MatchWatch final : public LineWatch {
  public:
    explicit MatchWatch(std::string name) : name_(std::move(name)) {}

    void restart() override { *this = MatchWatch(std::move(name_)); }

    [[nodiscard]] std::string take(const std::vector<std::string>& lines) override {
        std::deque<lab::GameRecord> fresh;
        std::string problems;
        for (const std::string& line : lines) {
            const auto taken = take_line(line, fresh);
            if (!taken) problems += event_text("problem", json_text({{"message", taken.error()}}));
        }
        std::string text = std::move(problems);
        if (standings_ && !lines.empty()) {
            text += event_text("match", json_text(table()));
        }
        for (const lab::GameRecord& game : fresh) {
            text += event_text("game", json_text(played_game_json(game)));
        }
        return text;
    }

  private:
    // The first line describes the match.
    [[nodiscard]] tl::expected<void, std::string> take_line(const std::string& line,
                                                            std::deque<lab::GameRecord>& fresh) {
        if (!standings_) return begin(line);
        auto game = lab::parse_json_line(line);
        if (!game) return tl::unexpected<std::string>(game.error().message);
        if (!numbers_.insert(game->number).second) return {};
        standings_->add(*game);
        fresh.push_back(std::move(*game));
        if (fresh.size() > kLastGames) fresh.pop_front();
        return {};
    }
    [[nodiscard]] tl::expected<void, std::string> begin(const std::string& line) {
        const auto heading = lab::parse_game_log(line + "\n");
        if (!heading) return tl::unexpected<std::string>(heading.error().message);
        const Json identity = lab::parse_shallow_json(heading->identity);
        std::vector<std::string> players;
        if (identity.is_object() && identity.contains("players") &&
            identity["players"].is_array()) {
            for (const Json& name : identity["players"]) {
                if (name.is_string()) players.push_back(name.get<std::string>());
            }
        }
        if (players.size() < 2) return tl::unexpected<std::string>("not the log of a match");
        const bool paired = identity.value("paired", Json()) == true;
        total_ = identity.value("games", Json());
        standings_.emplace(std::move(players), paired);
        return {};
    }
    [[nodiscard]] Json table() const {
        Json players = Json::array(), pairs = Json::array();
        for (std::size_t i = 0; i < standings_->players().size(); ++i) {
            Json player{{"name", standings_->players()[i]}};
            player.update(score_json(standings_->score(i)));
            const lab::ThinkingStats& thinking = standings_->thinking(i);
            const auto moves = static_cast<double>(std::max<std::uint64_t>(thinking.moves, 1));
            player["faults"] = standings_->faults(i);
            player["ms_per_move"] = 1000 * thinking.seconds / moves;
            player["depth"] = thinking.depth / moves;
            player["nps"] = thinking.seconds > 0 ? thinking.nodes / thinking.seconds : 0.0;
            players.push_back(std::move(player));
            for (std::size_t k = 0; k < standings_->players().size(); ++k) {
                const lab::ScoreCount score = standings_->score(i, k);
                if (k == i || score.games() == 0) continue;
                Json pair{{"player", standings_->players()[i]},
                          {"opponent", standings_->players()[k]}};
                pair.update(score_json(score));
                pairs.push_back(std::move(pair));
            }
        }
        return {{"name", name_},
                {"games", standings_->games()},
                {"total", total_},
                {"distinct", standings_->distinct_games()},
                {"players", std::move(players)},
                {"pairs", std::move(pairs)}};
    }

    std::string name_;
    Json total_;
    std::optional<lab::Standings> standings_;
    std::set<std::uint64_t> numbers_;
};

class RunWatch final : public LineWatch {
  public:
    void restart() override {}

    [[nodiscard]] std::string take(const std::vector<std::string>& lines) override {
        std::string text;
        Json rows = Json::array();
        for (const std::string& line : lines) {
            Json row = lab::parse_shallow_json(line);
            if (row.is_object()) rows.push_back(std::move(row));
            if (rows.size() == kMostRows) text += rows_event(std::exchange(rows, Json::array()));
        }
        if (!rows.empty()) text += rows_event(std::move(rows));
        return text;
    }

  private:
    [[nodiscard]] static std::string rows_event(Json rows) {
        return event_text("metrics", json_text({{"rows", std::move(rows)}}));
    }
};

}  // namespace

std::unique_ptr<LineWatch> make_watch(const Watched& watched) {
    if (watched.kind == WatchKind::Match) return std::make_unique<MatchWatch>(watched.name);
    return std::make_unique<RunWatch>();
}

}  // namespace solis::studio
