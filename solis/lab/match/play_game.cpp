// The referee.
#include "solis/lab/match/play_game.h"

#include <ctime>

#include <fmt/format.h>

#include "solis/chess/game.h"

namespace solis::lab {
namespace {

using chess::Color;
using chess::GameResult;

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900,
                       parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

GameResult result_for(std::optional<Color> winner) {
    if (!winner) return GameResult::Draw;
    return *winner == Color::White ? GameResult::WhiteWins : GameResult::BlackWins;
}

class Referee {
  public:
    Referee(const Opening& opening, Seat& white, Seat& black, Adjudicator adjudicator,
            const MoveWatcher& watch)
        : white_(white),
          black_(black),
          adjudicator_(adjudicator),
          watch_(watch),
          game_(opening.start) {
        record_.white = white.name();
        record_.black = black.name();
        record_.start = opening.start;
        record_.started_at = utc_now();
        record_.book_plies = opening.moves.size();
        for (const chess::Move move : opening.moves) {
            game_.push(move);
            record_.moves.push_back({.move = move});
        }
    }

    // False where the game was stopped.
    bool play(const std::stop_token& stop) {
        for (const Color side : {Color::White, Color::Black}) {
            if (const auto fault = seat(side).prepare()) {
                if (stop.stop_requested()) return false;
                charge(side, *fault);
                return true;
            }
        }
        while (!is_over()) {
            if (stop.stop_requested()) return false;
            const Color side = game_.position().side_to_move();
            const Turn turn =
                seat(side).move(game_.start(), game_.moves(), game_.position(), seat(~side));
            if (turn.fault && !stop.stop_requested()) charge(side, *turn.fault);
            if (!turn.move) return turn.fault.has_value() && !stop.stop_requested();
            push(side, *turn.move);
        }
        return true;
    }

    GameRecord take(engine::Clock::duration duration) && {
        record_.duration_ms = static_cast<int>(
            std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
        return std::move(record_);
    }

  private:
    Seat& seat(Color side) { return side == Color::White ? white_ : black_; }

    void end(Ending ending, std::optional<Color> winner) {
        record_.ending = ending;
        record_.result = result_for(winner);
    }

    bool is_over() {
        if (record_.result != GameResult::Unknown) return true;
        const auto outcome = game_.outcome(chess::Claims::Counted);
        if (outcome) end(ending_from(outcome->reason), outcome->winner);
        return outcome.has_value();
    }

    void push(Color side, const PlayedMove& move) {
        if (watch_) watch_(game_.position(), move);
        game_.push(move.move);
        record_.moves.push_back(move);
        if (is_over()) return;  // the rules come before any verdict
        const int ply = static_cast<int>(record_.moves.size());
        const auto verdict = adjudicator_.after_move(game_.position(), side, move.score, ply);
        if (verdict) end(verdict->ending, verdict->winner);
    }

    void charge(Color side, const Fault& fault) {
        const bool saved = fault.ending == Ending::TimeLoss && !can_mate(game_.position(), ~side);
        end(fault.ending, saved ? std::nullopt : std::optional(~side));
        record_.at_fault = side;
        record_.note = fault.note;
        if (loses_engine(fault.ending)) seat(side).drop();
    }

    Seat& white_;
    Seat& black_;
    Adjudicator adjudicator_;
    const MoveWatcher& watch_;
    chess::Game game_;
    GameRecord record_;
};

}  // namespace

std::optional<GameRecord> play_game(const Opening& opening, Seat& white, Seat& black,
                                    Adjudicator adjudicator, const std::stop_token& stop,
                                    const MoveWatcher& watch) {
    const auto began = engine::Clock::now();
    Referee referee(opening, white, black, adjudicator, watch);
    if (!referee.play(stop)) return std::nullopt;
    return std::move(referee).take(engine::Clock::now() - began);
}

}  // namespace solis::lab
