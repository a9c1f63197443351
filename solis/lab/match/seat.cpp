// Asking an engine for a move, with a clock.
#include "solis/lab/match/seat.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/chess/fen.h"
#include "solis/chess/uci_move.h"
#include "solis/lab/label/label_task.h"

namespace solis::lab {
namespace {

using engine::Clock;
using engine::EngineFault;
using std::chrono::milliseconds;

milliseconds ceil_ms(Clock::duration time) {
    return std::max(std::chrono::ceil<milliseconds>(time), milliseconds(1));
}

int whole_ms(Clock::duration time) {
    return static_cast<int>(std::chrono::round<milliseconds>(time).count());
}

}  // namespace

std::optional<Fault> Seat::prepare() {
    const ThinkLimits& limits = player_.limits;
    left_ = limits.clock ? Duration(limits.clock->base) : Duration{};
    // An increment alone is a clock, too: it is there from the first move on.
    if (limits.clock && left_ == Duration{}) left_ = limits.clock->increment;
    moves_made_ = 0;
    if (!client_) {
        auto started = engine::UciClient::start(engine_);
        if (!started) return Fault{Ending::NoStart, started.error().message};
        client_.emplace(std::move(*started));
        client_->stop_waiting_on(stop_);
    }
    if (auto ready = client_->new_game(); !ready) return client_fault(ready.error());
    return std::nullopt;
}

planner::Limits Seat::limits(chess::Color side, const Seat& opponent) const {
    planner::Limits search;
    const ThinkLimits& own = player_.limits;
    search.nodes = own.nodes;
    search.depth = own.depth;
    search.movetime = own.movetime;
    if (!own.clock) return search;
    planner::ClockTime clock;
    const Seat& white = side == chess::Color::White ? *this : opponent;
    const Seat& black = side == chess::Color::White ? opponent : *this;
    const auto read = [&](const Seat& seat, milliseconds& left, milliseconds& increment) {
        // An opponent without a clock is shown as having this side's time.
        const Seat& shown = seat.player_.limits.clock ? seat : *this;
        left = std::max(std::chrono::floor<milliseconds>(shown.left_), milliseconds(1));
        increment = shown.player_.limits.clock->increment;
    };
    read(white, clock.white, clock.white_increment);
    read(black, clock.black, clock.black_increment);
    if (own.clock->moves > 0) clock.moves_to_go = own.clock->moves - moves_made_ % own.clock->moves;
    search.clock = clock;
    return search;
}

std::optional<Clock::duration> Seat::allowed() const {
    const ThinkLimits& own = player_.limits;
    std::optional<Duration> time;
    if (own.clock) time = left_ + rules_.clock_margin;
    if (own.movetime) {
        const Duration each = *own.movetime + rules_.movetime_margin;
        time = time ? std::min(*time, each) : each;
    }
    return time;
}

Turn Seat::move(const chess::Position& start, std::span<const chess::Move> moves,
                const chess::Position& position, const Seat& opponent) {
    std::uint64_t reported_ms = 0;
    const auto listen = [&](const engine::SearchInfo& info) {
        reported_ms = std::max(reported_ms, info.time_ms);
    };
    client_->position(start, moves);
    client_->go(limits(position.side_to_move(), opponent));
    const auto allowed_time = allowed();
    const Duration limit = allowed_time.value_or(rules_.longest_search);
    const Clock::time_point began = Clock::now();
    const auto report = client_->wait_bestmove(ceil_ms(limit), listen);
    const Duration used = Clock::now() - began;
    if (!report) {
        if (client_->fault() == EngineFault::Stopped) return {};
        const bool gone = client_->fault() == EngineFault::Crashed;
        if (gone || used < limit) return {std::nullopt, client_fault(report.error())};
        return {std::nullopt, late_fault(limit)};
    }
    if (allowed_time && used > *allowed_time) {
        return {std::nullopt,
                Fault{Ending::TimeLoss, fmt::format("answered after {} ms of {} ms", whole_ms(used),
                                                    whole_ms(*allowed_time))}};
    }
    run_clock(used);
    const auto move = chess::parse_uci(position, report->best_move);
    if (!move) return {std::nullopt, Fault{Ending::IllegalMove, move.error().message}};
    PlayedMove played;
    played.move = *move;
    played.score = to_label(report->score);
    played.depth = report->depth;
    played.nodes = report->nodes;
    played.time_ms = whole_ms(used);
    const auto reported = static_cast<int>(std::min<std::uint64_t>(reported_ms, 1'000'000'000));
    played.lag_ms = reported > 0 ? std::max(played.time_ms - reported, 0) : 0;
    return {played, std::nullopt};
}

Fault Seat::late_fault(Duration allowed_time) {
    if (auto told = client_->stop(); !told) return client_fault(told.error());
    const auto late = client_->wait_bestmove(rules_.hang_after);
    if (!late) return client_fault(late.error());
    return {Ending::TimeLoss, fmt::format("no move within {} ms", whole_ms(allowed_time))};
}

Fault Seat::client_fault(const Error& error) const {
    switch (client_->fault()) {
        case EngineFault::Crashed:
            return {Ending::Crash, error.message};
        case EngineFault::Garbage:
            return {Ending::Garbage, error.message};
        case EngineFault::None:
        case EngineFault::TimedOut:
        case EngineFault::Stopped:
            break;
    }
    return {Ending::Hang, error.message};
}

void Seat::run_clock(Duration used) {
    ++moves_made_;
    const auto& clock = player_.limits.clock;
    if (!clock) return;
    // Within the margin the clock may have run out without a loss.
    left_ = std::max(left_ - used, Duration{}) + clock->increment;
    if (clock->moves > 0 && moves_made_ % clock->moves == 0) left_ += clock->base;
}

}  // namespace solis::lab
