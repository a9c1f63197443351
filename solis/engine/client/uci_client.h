// Drives a UCI engine: a child process, or our own inside this one. Every step has a time limit.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/position.h"
#include "solis/engine/client/engine_link.h"
#include "solis/engine/uci_protocol.h"

namespace solis::engine {

// Why an engine's call failed, for callers that punish or restart.
enum class EngineFault {
    None,
    Crashed,   // the process ended, or closed its output
    TimedOut,  // no answer in time
    Garbage,   // answered, but not in UCI
    Stopped    // the caller no longer wants the answer, see stop_waiting_on()
};

struct EngineTimeouts {
    std::chrono::milliseconds start{10'000};  // uci -> uciok
    std::chrono::milliseconds ready{60'000};  // isready -> readyok; nets load and hash clears here
    std::chrono::milliseconds write{10'000};  // the engine reads its input
    std::chrono::milliseconds quit{500};      // quit -> end of process, then it is killed
};

struct EngineSpec {
    std::vector<std::string> command;
    std::vector<std::pair<std::string, std::string>> options;  // set at the start
    EngineTimeouts timeouts;
    // Our own engine without a process; command[0] is what it calls itself.
    bool in_process = false;
};

// What a finished search said.
struct SearchReport {
    std::string best_move;  // UCI text; "(none)" or "0000" without a legal move
    std::string ponder;     // may be empty
    // The last exact score of the first line: a bound that a stop cut short is no verdict.
    std::optional<UciScore> score;
    int depth = 0;  // of that score
    std::uint64_t nodes = 0;
};

// After a failure the engine is of no more use: drop the client and start another. Commands are
// collected and sent in one write by flush(), which the waiting calls do first.
class UciClient {
  public:
    using InfoListener = std::function<void(const SearchInfo&)>;

    // Starts the engine, shakes hands, sets the options and waits until it is ready.
    [[nodiscard]] static Result<UciClient> start(const EngineSpec& spec);
    UciClient(UciClient&&) = default;
    UciClient& operator=(UciClient&&) = default;
    // Asks the engine to quit and kills it if it does not.
    ~UciClient();

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& author() const { return author_; }
    [[nodiscard]] const std::vector<UciOption>& options() const { return options_; }
    // By name without regard to case; null if the engine has none.
    [[nodiscard]] const UciOption* find_option(std::string_view name) const;

    // Fails if the engine has no such option or does not take the value. Only between searches.
    [[nodiscard]] Result<void> set_option(std::string_view name, std::string_view value);
    [[nodiscard]] Result<void> wait_ready();
    // Forgets the last game: ucinewgame, then waits until ready.
    [[nodiscard]] Result<void> new_game();

    void position(const chess::Position& start, std::span<const chess::Move> moves = {});
    void go(const planner::Limits& limits);
    // Any other command, without its line end.
    void send(std::string_view command);
    [[nodiscard]] Result<void> flush();
    // Ends the running search early; wait_bestmove() still has to be called.
    [[nodiscard]] Result<void> stop();

    // The answer to the oldest go that has none yet. `listener` sees every info line.
    [[nodiscard]] Result<SearchReport> wait_bestmove(std::chrono::milliseconds limit,
                                                     const InfoListener& listener = {});
    // Reads lines until `wanted` says yes; `what` names the awaited thing in errors.
    [[nodiscard]] Result<void> wait_line(const std::function<bool(std::string_view)>& wanted,
                                         std::chrono::milliseconds limit, std::string_view what);

    // From now on every wait ends, as a failure, soon after a stop is requested.
    void stop_waiting_on(std::stop_token token) { stop_token_ = std::move(token); }

    // Why the last call failed.
    [[nodiscard]] EngineFault fault() const { return fault_; }
    [[nodiscard]] pid_t pid() const { return link_->pid(); }
    // CPU time of the engine's process so far.
    [[nodiscard]] std::chrono::duration<double> cpu_time() const { return link_->cpu_time(); }

  private:
    UciClient(std::unique_ptr<EngineLink> link, const EngineSpec& spec);

    [[nodiscard]] Result<void> shake_hands();
    void take_identity(std::string_view line);
    [[nodiscard]] tl::unexpected<Error> io_failure(IoStatus status, std::string_view what,
                                                   std::chrono::milliseconds limit);
    [[nodiscard]] tl::unexpected<Error> late(std::string_view what,
                                             std::chrono::milliseconds limit);
    [[nodiscard]] tl::unexpected<Error> gone(std::string_view what);
    void note_line(std::string_view line);

    // Like EngineLink::read_line, looking at the stop token now and then.
    [[nodiscard]] IoStatus read_line(std::string_view& line, Clock::time_point deadline);

    std::unique_ptr<EngineLink> link_;  // null: moved from
    EngineTimeouts timeouts_;
    std::stop_token stop_token_;
    std::string program_;
    std::string name_;
    std::string author_;
    std::vector<UciOption> options_;
    std::string outgoing_;
    // What UCI_Chess960 was set to decides how castling is written.
    chess::CastlingNotation castling_ = chess::CastlingNotation::Automatic;
    EngineFault fault_ = EngineFault::None;
    bool spoke_uci_ = false;  // since the current wait began
    std::string last_junk_;   // the last line that is not UCI, for errors
};

}  // namespace solis::engine
