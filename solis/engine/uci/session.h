// The engine's side of a UCI dialogue: a state machine fed with lines.
#pragma once
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/rng.h"
#include "solis/chess/game.h"
#include "solis/engine/client/player.h"
#include "solis/engine/line_io.h"
#include "solis/engine/uci/engine_options.h"
#include "solis/engine/uci/gui_commands.h"
#include "solis/engine/uci/lag_meter.h"
#include "solis/engine/uci/search_report.h"
#include "solis/engine/uci/task_runner.h"

namespace solis::engine {

struct SessionSetup {
    LineOutput& output;
    TaskRunner& runner;
    // Called when a task has ended, from the thread it ran on: task_ended() is due.
    std::function<void()> wake = [] {};
    std::string name = "SOLIS";
    Seed seed{0};
    // A model that is loaded already; null: the embedded one.
    std::shared_ptr<const model::LoadedModel> model{};
    // A node limit on every search, for runners inside the session, which cannot be stopped.
    std::optional<std::uint64_t> node_cap{};
};

// While a search runs, stop, ponderhit, isready, uci and quit are answered at once; everything else
// waits for its end, in order. All calls come from one thread.
class Session {
  public:
    using Clock = std::chrono::steady_clock;
    using TimePoint = Clock::time_point;

    explicit Session(SessionSetup setup);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();

    // False when the line was "quit": nothing more will be answered.
    // `arrived` is when the line was read: time that it waited for this call counts as thinking.
    [[nodiscard]] bool handle(std::string_view line, TimePoint arrived = Clock::now());
    // A line was too long to be read.
    void skip_long_line();
    void task_ended();
    // The input is at its end: a running bench is finished, everything else is stopped, and what
    // waits is dropped.
    void end_of_input();

    [[nodiscard]] const EngineOptions& options() const { return options_; }
    [[nodiscard]] const chess::Game& game() const { return game_; }
    [[nodiscard]] bool is_busy() const { return task_ != nullptr; }

  private:
    struct Task;
    struct Waiting {
        std::string line;
        TimePoint arrived{};
        bool stopped = false;     // a stop came after it
        bool ponder_hit = false;  // a ponderhit came after it
    };
    using Handler = void (Session::*)(std::string_view arguments);
    struct Verb;

    [[nodiscard]] static const Verb* find_verb(std::string_view word);
    void say(std::string_view lines);
    void complain(const Error& error);
    void wait_in_line(std::string_view line, TimePoint arrived);
    // Answers for a task that has ended, then carries out the commands that waited for it.
    void run_waiting();
    void call(Handler handler, std::string_view arguments);
    void start_task(std::unique_ptr<Task> task, std::function<void(Task&)> work);
    void conclude();

    void on_uci(std::string_view arguments);
    void on_isready(std::string_view arguments);
    void on_stop(std::string_view arguments);
    void on_ponderhit(std::string_view arguments);
    void on_setoption(std::string_view arguments);
    void on_ucinewgame(std::string_view arguments);
    void on_position(std::string_view arguments);
    void on_go(std::string_view arguments);
    void on_show(std::string_view arguments);
    void on_eval(std::string_view arguments);
    void on_bench(std::string_view arguments);
    void on_help(std::string_view arguments);
    void on_compiler(std::string_view arguments);
    void on_nothing(std::string_view) {}

    void apply_options(const EngineOptions& wanted);
    void start_search(const GoCommand& go);
    void start_perft(int depth);
    [[nodiscard]] bool answer_without_search(const GoCommand& go);
    [[nodiscard]] ReportStyle style() const;
    [[nodiscard]] planner::Limits limits_of(const GoCommand& go);

    SessionSetup setup_;
    DialogueLog log_;
    std::vector<OptionEntry> table_ = option_table();
    EngineOptions options_;
    Player player_;
    LagMeter lag_;
    chess::Game game_;
    std::deque<Waiting> waiting_;
    std::size_t waiting_bytes_ = 0;
    Waiting current_;  // the last that was taken from waiting_
    std::unique_ptr<Task> task_;
};

}  // namespace solis::engine
