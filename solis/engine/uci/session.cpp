// The dialogue: which command comes when, and what waits for what.
#include "solis/engine/uci/session.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/engine/uci/session_task.h"
#include "solis/engine/words.h"

namespace solis::engine {
namespace {

// The most that commands waiting for the end of a search may take, in bytes.
constexpr std::size_t kMaxWaiting = std::size_t{64} << 20;

#ifdef __clang__
constexpr std::string_view kCompiler = "clang++";
#else
constexpr std::string_view kCompiler = "g++";
#endif

// One line without control characters, whatever the message quotes.
std::string one_line(std::string text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
    }
    return text;
}

}  // namespace

struct Session::Verb {
    std::string_view word;
    Handler handler;
    bool at_once = false;  // even while a search runs
};

const Session::Verb* Session::find_verb(std::string_view word) {
    static constexpr std::array kVerbs{Verb{"uci", &Session::on_uci, true},
                                       Verb{"isready", &Session::on_isready, true},
                                       Verb{"stop", &Session::on_stop, true},
                                       Verb{"ponderhit", &Session::on_ponderhit, true},
                                       Verb{"debug", &Session::on_nothing, true},
                                       Verb{"register", &Session::on_nothing, true},
                                       Verb{"help", &Session::on_help, true},
                                       Verb{"compiler", &Session::on_compiler, true},
                                       Verb{"setoption", &Session::on_setoption},
                                       Verb{"ucinewgame", &Session::on_ucinewgame},
                                       Verb{"position", &Session::on_position},
                                       Verb{"go", &Session::on_go},
                                       Verb{"d", &Session::on_show},
                                       Verb{"eval", &Session::on_eval},
                                       Verb{"bench", &Session::on_bench}};
    const auto verb =
        std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb& v) { return v.word == word; });
    return verb == kVerbs.end() ? nullptr : verb;
}

Session::Session(SessionSetup setup)
    : setup_(std::move(setup)), player_(setup_.seed, setup_.model) {}

Session::~Session() {
    if (task_) task_->signals.stop();
    setup_.runner.join();
}

void Session::say(std::string_view lines) {
    log_.add("<<", lines);
    setup_.output.write(lines);
}

void Session::complain(const Error& error) {
    say("info string error: " + one_line(error.message));
    if (!error.hint.empty()) say("info string hint: " + one_line(error.hint));
}

bool Session::handle(std::string_view line, TimePoint arrived) {
    log_.add(">>", line);
    std::string_view rest = line;
    const std::string_view word = next_word(rest);
    if (word == "quit") {
        on_stop({});
        end_of_input();
        return false;
    }
    const Verb* verb = find_verb(word);
    if (!verb) {
        if (!word.empty() && word.front() != '#') {
            complain({fmt::format("unknown command {}", in_quotes(word)), "'help' lists them"});
        }
        return true;
    }
    if (verb->at_once) {
        call(verb->handler, rest);
    } else {
        wait_in_line(line, arrived);
    }
    run_waiting();
    return true;
}

void Session::skip_long_line() {
    complain(
        {fmt::format("a line of more than {} bytes was ignored", DescriptorInput::kMaxLine), ""});
}

void Session::wait_in_line(std::string_view line, TimePoint arrived) {
    const std::size_t bytes = line.size() + sizeof(Waiting);
    if (waiting_bytes_ + bytes > kMaxWaiting) {
        complain({"too many commands wait for the search to end; this one was ignored",
                  "'stop' ends the search"});
        return;
    }
    waiting_bytes_ += bytes;
    waiting_.push_back({std::string(line), arrived});
}

void Session::task_ended() { run_waiting(); }

void Session::run_waiting() {
    for (;;) {
        if (task_) {
            if (!task_->may_conclude()) return;
            conclude();
            // Time of a search that had to wait for another one counts from here.
            for (Waiting& waiting : waiting_) waiting.arrived = Clock::now();
        }
        if (waiting_.empty()) return;
        current_ = std::move(waiting_.front());
        waiting_.pop_front();
        waiting_bytes_ -= current_.line.size() + sizeof(Waiting);
        std::string_view rest = current_.line;
        const Verb* verb = find_verb(next_word(rest));
        call(verb->handler, rest);
    }
}

void Session::call(Handler handler, std::string_view arguments) {
    try {
        (this->*handler)(arguments);
    } catch (const std::bad_alloc&) {
        complain({"out of memory", "set a smaller Hash"});
    }
}

void Session::start_task(std::unique_ptr<Task> task, std::function<void(Task&)> work) {
    task_ = std::move(task);
    if (current_.stopped) task_->stop();
    if (current_.ponder_hit) task_->ponder_hit();
    // A runner inside the session returns only when the task has ended, so a `ponderhit` could
    // never be read: pondering becomes thinking at once.
    if (!setup_.runner.is_concurrent()) task_->signals.ponder_hit();
    Task& running = *task_;
    setup_.runner.start([this, &running, work = std::move(work)] {
        try {
            work(running);
        } catch (const std::exception& failure) {
            running.answer = fmt::format("info string error: {}", failure.what());
            if (running.owes_bestmove) running.answer += "\nbestmove (none)";
        }
        running.finish([this](std::string_view lines) { say(lines); });
        setup_.wake();
    });
}

void Session::conclude() {
    setup_.runner.join();
    const std::unique_ptr<Task> task = std::move(task_);
    task->conclude([this](std::string_view lines) { say(lines); });
    lag_.on_answer(task->answered_at());
}

void Session::on_stop(std::string_view) {
    for (Waiting& waiting : waiting_) waiting.stopped = true;
    if (task_) task_->stop();
}

void Session::on_ponderhit(std::string_view) {
    for (Waiting& waiting : waiting_) waiting.ponder_hit = true;
    if (task_) task_->ponder_hit();
}

void Session::end_of_input() {
    waiting_.clear();
    waiting_bytes_ = 0;
    if (!task_) return;
    if (!task_->finishes_at_end) on_stop({});
    conclude();
}

void Session::on_uci(std::string_view) {
    std::string lines = fmt::format("id name {}\nid author the SOLIS authors\n", setup_.name);
    for (const OptionEntry& entry : table_) lines += option_line(entry.option) + "\n";
    say(lines + "uciok");
}

void Session::on_isready(std::string_view) {
    // A running search has loaded the model already.
    if (!task_) {
        if (const auto ready = player_.planner(); !ready) complain(ready.error());
    }
    say("readyok");
}

void Session::on_setoption(std::string_view arguments) {
    const auto command = parse_setoption(arguments);
    if (!command) {
        complain({"setoption lacks its name", "setoption name NAME [value VALUE]"});
        return;
    }
    EngineOptions wanted = options_;
    const auto name = set_option(table_, command->name, command->value, wanted);
    if (!name) {
        complain(name.error());
    } else if (*name == "Clear Hash") {
        player_.new_game();
    } else {
        apply_options(wanted);
    }
}

void Session::apply_options(const EngineOptions& wanted) {
    if (wanted.debug_log_file != options_.debug_log_file) {
        if (auto ok = log_.open(wanted.debug_log_file); !ok) complain(ok.error());
    }
    for (const Error& error : player_.apply(wanted)) complain(error);
    options_ = player_.options();
}

void Session::on_ucinewgame(std::string_view) {
    player_.new_game();
    lag_.new_game();
}

void Session::on_position(std::string_view arguments) {
    auto game = parse_position(arguments);
    if (game) {
        game_ = std::move(*game);
    } else {
        complain(game.error());
        say("info string the position stays as it was");
    }
}

void Session::on_help(std::string_view) {
    say("info string UCI: uci isready setoption ucinewgame position go stop ponderhit quit\n"
        "info string also: d (show the position), eval (explain its score), bench [DEPTH], "
        "go perft DEPTH,\n"
        "info string compiler (what built this program)");
}

void Session::on_compiler(std::string_view) {
    say(fmt::format("Compiled by {} {}, C++{}", kCompiler, __VERSION__, __cplusplus / 100 % 100));
}

}  // namespace solis::engine
