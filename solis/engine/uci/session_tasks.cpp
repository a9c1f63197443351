// What a session works on: searches, perft, bench, and the views of a position.
#include <algorithm>

#include <fmt/format.h>

#include "solis/analysis/explain/explanation.h"
#include "solis/chess/board_text.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/perft.h"
#include "solis/engine/uci/bench_suite.h"
#include "solis/engine/uci/session_task.h"
#include "solis/engine/words.h"

namespace solis::engine {
namespace {

using Say = std::function<void(std::string_view)>;

// Writes the progress of a plan as info lines.
class Reporter final : public planner::Observer {
  public:
    Reporter(const chess::Position& root, const planner::ValueScale& scale, ReportStyle style,
             Say say)
        : root_(root), scale_(scale), style_(style), say_(std::move(say)) {}

    void on_info(const planner::Info& info) override {
        say_(info_line(info, root_, scale_, style_));
    }
    void on_move(int depth, chess::Move move, int number) override {
        say_(fmt::format("info depth {} currmove {} currmovenumber {}", depth,
                         chess::to_uci(root_, move, style_.castling), number));
    }

    // What is said of a finished plan before its bestmove. Its lines come again even if they were
    // said before, so that whoever reads from here on has a score, and the counts are the final
    // ones.
    [[nodiscard]] std::string final_lines(const planner::Plan& plan) const {
        std::string text = fmt::format("info string embeddings {} of {} nodes\n",
                                       plan.effort.embedded, plan.effort.nodes);
        int number = 0;
        for (const planner::Line& line : plan.lines) {
            text += info_line({++number, line, plan.effort}, root_, scale_, style_) + "\n";
        }
        return text;
    }

  private:
    const chess::Position& root_;
    const planner::ValueScale& scale_;
    ReportStyle style_;
    Say say_;
};

// The count is too small where a stop interrupted it.
std::uint64_t perft_until_stopped(const chess::Position& position, int depth,
                                  const planner::Signals& signals) {
    constexpr int kUninterrupted = 3;  // some 100,000 leaves: a millisecond
    if (depth <= kUninterrupted) return chess::perft(position, depth);
    std::uint64_t count = 0;
    for (const chess::Move move : chess::legal_moves(position)) {
        if (signals.stopped()) break;
        count += perft_until_stopped(position.after(move), depth - 1, signals);
    }
    return count;
}

}  // namespace

ReportStyle Session::style() const {
    return {options_.show_wdl, options_.chess960 ? chess::CastlingNotation::KingTakesRook
                                                 : chess::CastlingNotation::Automatic};
}

planner::Limits Session::limits_of(const GoCommand& go) {
    planner::Limits limits = go.limits;
    limits.asked = current_.arrived;
    lag_.on_go(limits, game_.position().side_to_move(),
               planner::Milliseconds(options_.move_overhead));
    limits.lag = lag_.margin();
    // The session itself holds back the answer of an infinite search until `stop`. The planner must
    // know about pondering, because time does not count before `ponderhit`.
    limits.infinite = false;
    if (setup_.node_cap) {
        limits.nodes = std::min(limits.nodes.value_or(*setup_.node_cap), *setup_.node_cap);
    }
    return limits;
}

void Session::on_go(std::string_view arguments) {
    const GoCommand go = parse_go(arguments, game_.position());
    for (const std::string& problem : go.problems) complain({problem, ""});
    if (go.perft) {
        start_perft(*go.perft);
    } else if (!answer_without_search(go)) {
        start_search(go);
    }
}

bool Session::answer_without_search(const GoCommand& go) {
    const chess::Position& root = game_.position();
    const bool waits = go.limits.infinite || go.limits.ponder;
    if (waits || go.restricted) return false;
    const auto book = player_.book_move(root);
    if (!book) return false;
    say(fmt::format("info string book move\nbestmove {}",
                    chess::to_uci(root, *book, style().castling)));
    return true;
}

void Session::start_search(const GoCommand& go) {
    const auto planner = player_.planner();
    if (!planner) {
        complain(planner.error());
        say("bestmove (none)");
        return;
    }
    auto task = std::make_unique<Task>();
    if (go.limits.infinite) task->hold_until_stop();
    if (go.limits.ponder) task->hold_until_hit();
    task->owes_bestmove = true;
    const bool with_statistics = options_.verbose_move_stats;
    start_task(std::move(task), [this, game = game_, limits = limits_of(go), style = style(),
                                 with_statistics, planner = *planner](Task& running) {
        const chess::Position& root = game.position();
        const planner::ValueScale scale = planner->scale();
        Reporter reporter(root, scale, style, [this](std::string_view line) { say(line); });
        const planner::Plan plan = planner->plan(game, limits, reporter, running.signals);
        if (const auto status = planner->model().status(); !status) {
            // A move that the encoder had no part in would be somebody else's.
            complain(status.error());
            running.answer = "bestmove (none)";
            return;
        }
        std::string text =
            plan.lines.empty() ? finished_line(root, style) + "\n" : reporter.final_lines(plan);
        if (with_statistics && !plan.root.empty()) {
            text += move_statistics(plan, root, scale, style) + "\n";
        }
        running.answer = text + bestmove_line(plan, root, style);
    });
}

void Session::start_perft(int depth) {
    start_task(std::make_unique<Task>(), [this, root = game_.position(), depth,
                                          style = style()](Task& running) {
        std::uint64_t total = 0;
        for (const chess::Move move : chess::legal_moves(root)) {
            const std::uint64_t count =
                perft_until_stopped(root.after(move), depth - 1, running.signals);
            if (running.signals.stopped()) break;
            say(fmt::format("{}: {}", chess::to_uci(root, move, style.castling), count));
            total += count;
        }
        running.answer = running.signals.stopped() ? "info string perft was stopped"
                                                   : fmt::format("\nNodes searched: {}\n", total);
    });
}

void Session::on_bench(std::string_view arguments) {
    int depth = kBenchDepth;
    const std::string_view word = next_word(arguments);
    if (!word.empty() && (!read_number(word, depth) || depth < 1)) {
        complain({fmt::format("bench: '{}' is no depth", word), "bench [DEPTH]"});
        return;
    }
    auto model = player_.model();
    if (!model) return complain(model.error());
    auto task = std::make_unique<Task>();
    task->finishes_at_end = true;
    start_task(std::move(task), [this, model = *model, depth](Task& running) {
        const BenchResult result =
            run_bench(model, depth, running.signals, [this](std::string_view line) { say(line); });
        const std::uint64_t milliseconds = std::max<std::uint64_t>(result.milliseconds, 1);
        running.answer =
            result.stopped
                ? "info string bench was stopped"
                : fmt::format(
                      "\nTotal time (ms) : {}\nNodes searched  : {}\nEmbeddings      : {}\n"
                      "{} nodes {} nps",
                      milliseconds, result.nodes, result.embedded, result.nodes,
                      result.nodes * 1000 / milliseconds);
    });
}

void Session::on_show(std::string_view) {
    const chess::Position& position = game_.position();
    std::string text = fmt::format("\n{}\n", chess::draw_board(position));
    text +=
        fmt::format("Fen: {}\nKey: {:016X}\nCheckers:", chess::to_fen(position), position.key());
    for (chess::Bitboard checkers = position.checkers(); checkers != 0;) {
        text += ' ' + to_string(chess::pop_lowest(checkers));
    }
    text += fmt::format("\nRepetitions: {}", game_.repetitions());
    if (const auto end = game_.outcome(chess::Claims::Counted)) {
        text += fmt::format("\nStatus: {}", name_of(end->reason));
    }
    say(text);
}

void Session::on_eval(std::string_view) {
    const auto model = player_.model();
    if (!model) return complain(model.error());
    const chess::Position& position = game_.position();
    if (!chess::has_legal_move(position)) {
        say("info string no evaluation: the game is over");
        return;
    }
    say(to_text(analysis::explain(position, **model, {.squares = false, .moves = false}),
                position));
}

}  // namespace solis::engine
