// Worker threads with their engines, and the calling thread that takes the games.
#include "solis/lab/match/match_runner.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

#include <fmt/format.h>

#include "solis/lab/match/play_game.h"

namespace solis::lab {
namespace {

constexpr std::chrono::milliseconds kArenaInterval{100};

class Arena {
  public:
    Arena(const MatchSetup& setup, const std::vector<bool>& played)
        : setup_(setup), played_(played) {}

    Result<MatchEnd> run(const MatchHooks& hooks) {
        std::vector<std::jthread> threads;
        working_ = setup_.concurrency;
        for (int i = 0; i < setup_.concurrency; ++i) threads.emplace_back([this] { work(); });
        const Result<void> done = take_games(hooks);
        end_waits();
        threads.clear();  // joins
        if (!done) return tl::unexpected(done.error());
        return end_;
    }

  private:
    void end_waits() {
        stop_.request_stop();
        const std::lock_guard lock(mutex_);
        ended_ = true;  // nobody takes games any more
        changed_.notify_all();
    }

    // --- worker threads

    void work() {
        std::map<int, Seat> seats;
        while (const auto number = claim()) {
            const ScheduledGame game = setup_.schedule.game(*number);
            // Engines that are not at the board would only take memory.
            std::erase_if(seats, [&](const auto& seat) {
                return seat.first != game.white && seat.first != game.black;
            });
            auto record =
                play_game(setup_.openings.for_round(game.round), seat(seats, game.white),
                          seat(seats, game.black),
                          Adjudicator(setup_.adjudication, setup_.tablebase), stop_.get_token());
            if (!record) break;
            record->number = *number;
            deliver(std::move(*record));
        }
        const std::lock_guard lock(mutex_);
        --working_;
        changed_.notify_all();
    }

    Seat& seat(std::map<int, Seat>& seats, int player) {
        const auto i = static_cast<std::size_t>(player);
        return seats
            .try_emplace(player, setup_.players[i], setup_.engines[i], setup_.times,
                         stop_.get_token())
            .first->second;
    }

    std::optional<std::uint64_t> claim() {
        const std::lock_guard lock(mutex_);
        while (!stop_.stop_requested() && next_ < setup_.schedule.games()) {
            const std::uint64_t number = next_++;
            const bool done = number < played_.size() && played_[number];
            if (!done && setup_.ranks.plays(number)) return number;
        }
        return std::nullopt;
    }

    // Waits while games end faster than they can be written to the disk: what is not written is
    // lost by a kill and holds up an interrupt.
    void deliver(GameRecord record) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] {
            return finished_.size() < static_cast<std::size_t>(setup_.concurrency) || ended_;
        });
        finished_.push_back(std::move(record));
        changed_.notify_all();
    }

    // --- the calling thread

    Result<void> take_games(const MatchHooks& hooks) {
        std::unique_lock lock(mutex_);
        while (working_ > 0 || !finished_.empty()) {
            changed_.wait_for(lock, kArenaInterval,
                              [&] { return working_ == 0 || !finished_.empty(); });
            std::deque<GameRecord> games = std::exchange(finished_, {});
            changed_.notify_all();
            lock.unlock();
            for (const GameRecord& game : games) {
                const auto taken = hooks.take(game);
                if (!taken) return tl::unexpected(taken.error());
                if (!*taken) stop_.request_stop();
                watch_for_broken_engine(game);
            }
            if (!end_.interrupted && hooks.interrupted()) {
                end_.interrupted = true;
                stop_.request_stop();
            }
            lock.lock();
        }
        return {};
    }

    void watch_for_broken_engine(const GameRecord& game) {
        if (setup_.recover || end_.broken_by || !loses_engine(game.ending)) return;
        const bool white = game.at_fault == chess::Color::White;
        end_.broken_by = fmt::format("{} in game {}: {}", white ? game.white : game.black,
                                     game.number + 1, game.note);
        stop_.request_stop();
    }

    const MatchSetup& setup_;
    const std::vector<bool>& played_;
    std::stop_source stop_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::uint64_t next_ = 0;
    std::deque<GameRecord> finished_;
    int working_ = 0;
    bool ended_ = false;
    MatchEnd end_;
};

}  // namespace

Result<MatchEnd> run_match(const MatchSetup& setup, const std::vector<bool>& played,
                           const MatchHooks& hooks) {
    return Arena(setup, played).run(hooks);
}

}  // namespace solis::lab
