// The referee.
#include "solis/lab/match/play_game.h"

#include <ctime>

#include <fmt/format.h>

#include "solis/chess/play_on.h"

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
        const auto outcome = chess::play_on(
            game_, [&](const chess::Game&) { return ask(stop); },
            [&](const chess::Game&) { return !adjudicate(); });
        if (outcome) end(ending_from(outcome->reason), outcome->winner);
        return record_.result != GameResult::Unknown;
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

    // None where the game was stopped, or ended by a fault.
    std::optional<chess::Move> ask(const std::stop_token& stop) {
        if (stop.stop_requested()) return std::nullopt;
        const Color side = game_.position().side_to_move();
        const Turn turn =
            seat(side).move(game_.start(), game_.moves(), game_.position(), seat(~side));
        if (turn.fault && !stop.stop_requested()) charge(side, *turn.fault);
        if (!turn.move) return std::nullopt;
        if (watch_) watch_(game_.position(), *turn.move);
        record_.moves.push_back(*turn.move);
        return turn.move->move;
    }

    // Whether the last move led to a verdict.
    bool adjudicate() {
        const Color mover = ~game_.position().side_to_move();
        const int ply = static_cast<int>(record_.moves.size());
        const auto verdict =
            adjudicator_.after_move(game_.position(), mover, record_.moves.back().score, ply);
        if (verdict) end(verdict->ending, verdict->winner);
        return verdict.has_value();
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
