// solis analyze: positions and games for people.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/byte_sink.h"
#include "solis/base/byte_source.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/chess/fen.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/pgn/writer.h"
#include "solis/chess/san.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/analyze/annotate.h"
#include "solis/cli/analyze/board_view.h"
#include "solis/cli/commands.h"
#include "solis/model/open.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;

struct AnalyzeOptions {
    std::vector<std::string> input;
    std::string model;
    std::string plan = "deep";
    std::string out = "-";
    Existing existing = Existing::Refuse;
    int depth = 0;
    std::uint64_t nodes = 0;
    std::uint64_t movetime = 0;
    int lines = 3;
    int threads = 1;
    int hash = 64;
    bool json = false;
};

// Where nothing else limits. A game has many positions.
constexpr planner::Milliseconds kTimePerPosition{2000};
constexpr planner::Milliseconds kTimePerGameMove{200};

planner::Limits limits_of(const AnalyzeOptions& options, planner::Milliseconds otherwise) {
    planner::Limits limits;
    if (options.depth > 0) limits.depth = options.depth;
    if (options.nodes > 0) limits.nodes = options.nodes;
    if (options.movetime > 0) limits.movetime = planner::Milliseconds(options.movetime);
    if (!limits.depth && !limits.nodes && !limits.movetime) limits.movetime = otherwise;
    return limits;
}

Result<Analyst> make_analyst(const AnalyzeOptions& options, planner::Milliseconds otherwise,
                             int lines) {
    auto model = model::open(options.model);
    if (!model) return tl::unexpected(model.error());
    planner::Settings settings;
    settings.kind = planner::plan_kind_from(options.plan).value_or(settings.kind);
    settings.multipv = lines;
    settings.threads = options.threads;
    settings.hash_megabytes = static_cast<std::size_t>(options.hash);
    return Analyst(planner::Planner(std::move(*model), settings), limits_of(options, otherwise));
}

void add_verdict(Json& json, const Verdict& verdict) {
    if (verdict.mate) {
        json["mate"] = *verdict.mate;
    } else {
        json["cp"] = verdict.centipawns;
    }
    json["win_probability"] = verdict.win_probability;
}

Json to_json(const chess::Position& position, const Analysis& analysis) {
    Json report{{"fen", chess::to_fen(position)},
                {"depth", analysis.depth},
                {"nodes", analysis.nodes},
                {"milliseconds", analysis.milliseconds},
                {"lines", Json::array()}};
    for (const AnalysedLine& line : analysis.lines) {
        Json entry;
        add_verdict(entry, line.verdict);
        chess::Position at = position;
        for (const chess::Move move : line.moves) {
            entry["uci"].push_back(chess::to_uci(at, move));
            entry["san"].push_back(chess::to_san(at, move));
            at = at.after(move);
        }
        report["lines"].push_back(entry);
    }
    return report;
}

void print_analysis(const chess::Position& position, const Analysis& analysis, Console& console) {
    print_board(position, console);
    console.print("{}\n\n", chess::to_fen(position));
    if (const auto end = chess::outcome(position, chess::Claims::Ignored)) {
        console.print("The game is over: {}.\n", chess::name_of(end->reason));
    }
    if (analysis.lines.empty()) return;
    for (const AnalysedLine& line : analysis.lines) {
        console.print(fmt::emphasis::bold, "{:>7}", line.verdict.text());
        console.print("  White {:5.1f} %  {}\n", 100 * line.verdict.win_probability,
                      san_line(position, line.moves));
    }
    console.note("depth {}, {} positions embedded, {:.1f} s", analysis.depth,
                 format_count(static_cast<double>(analysis.nodes)),
                 static_cast<double>(analysis.milliseconds) / 1000);
}

ExitCode analyze_position(const std::string& text, const AnalyzeOptions& options,
                          Console& console) {
    const auto position = text == "startpos" ? chess::Position::start() : chess::parse_fen(text);
    if (!position) {
        Error error = position.error();
        if (error.hint.empty()) error.hint = "give a FEN, 'startpos' or the path of a PGN file";
        return console.error(error);
    }
    auto analyst = make_analyst(options, kTimePerPosition, options.lines);
    if (!analyst) return console.error(analyst.error());
    const Analysis analysis = analyst->analyse(chess::Game(*position));
    if (options.json) {
        print_json(console, to_json(*position, analysis));
    } else {
        print_analysis(*position, analysis, console);
    }
    return ExitCode::Ok;
}

std::string game_json(const chess::PgnGame& game, const std::vector<JudgedMove>& moves) {
    Json report{{"tags", Json::object()}, {"moves", Json::array()}};
    for (std::size_t i = 0; i < game.tag_count(); ++i) {
        report["tags"][std::string(game.tag(i).name)] = game.tag(i).value;
    }
    for (const JudgedMove& move : moves) {
        Json entry{{"san", chess::to_san(move.before, move.move)},
                   {"uci", chess::to_uci(move.before, move.move)},
                   {"best", chess::to_san(move.before, move.best)}};
        if (move.verdict) add_verdict(entry, *move.verdict);
        if (move.judgement != Judgement::Fine) entry["judgement"] = name_of(move.judgement);
        report["moves"].push_back(entry);
    }
    return report.dump() + "\n";
}

class GameAnalysis {
  public:
    GameAnalysis(const AnalyzeOptions& options, Analyst analyst, ByteSink& sink, Console& console)
        : options_(options), analyst_(std::move(analyst)), sink_(sink), console_(console) {}

    Result<ExitCode> run(ByteSource& source) {
        chess::PgnReader reader(source);
        chess::PgnGame game;
        ExitCode code = ExitCode::Ok;
        while (!interrupted_) {
            const auto outcome = reader.next(game);
            if (!outcome) return tl::unexpected(outcome.error());
            if (*outcome == chess::PgnOutcome::End) break;
            if (*outcome == chess::PgnOutcome::Broken) {
                console_.error(reader.error());
                code = ExitCode::Failed;
                continue;
            }
            if (auto ok = annotate_game(game); !ok) return tl::unexpected(ok.error());
        }
        return interrupted_ ? ExitCode::Interrupted : code;
    }

  private:
    Result<void> annotate_game(const chess::PgnGame& game) {
        ++number_;
        std::vector<JudgedMove> moves;
        {
            Progress progress(console_, fmt::format("game {}", number_), game.ply_count(), "moves");
            moves = judge_game(game, analyst_, [&](std::size_t done) {
                progress.update(done);
                interrupted_ = interrupted_ || interrupt_.requested();
                return !interrupted_;
            });
        }
        return sink_.write(options_.json ? game_json(game, moves)
                                         : chess::to_pgn(annotated(game, moves)));
    }

    const AnalyzeOptions& options_;
    InterruptWatch interrupt_;
    Analyst analyst_;
    ByteSink& sink_;
    Console& console_;
    std::size_t number_ = 0;
    bool interrupted_ = false;
};

ExitCode analyze_games(const std::string& path, const AnalyzeOptions& options, Console& console) {
    auto source = open_input(path);
    if (!source) return console.error(source.error());
    auto analyst = make_analyst(options, kTimePerGameMove, 1);
    if (!analyst) return console.error(analyst.error());
    auto sink = create_sink(options.out, options.existing);
    if (!sink) return console.error(sink.error());
    const auto code = GameAnalysis(options, std::move(*analyst), **sink, console).run(**source);
    if (!code) return console.error(code.error());
    if (auto ok = (*sink)->finish(); !ok) return console.error(ok.error());
    return *code;
}

ExitCode run_analyze(const AnalyzeOptions& options, Console& console) {
    std::error_code ignored;
    const std::string text = fmt::format("{}", fmt::join(options.input, " "));
    const bool is_file = text == "-" || text.ends_with(".pgn") || text.ends_with(".pgn.zst") ||
                         std::filesystem::is_regular_file(text, ignored);
    return is_file ? analyze_games(text, options, console)
                   : analyze_position(text, options, console);
}

}  // namespace

void add_analyze(Command& parent, Session& session) {
    const auto options = std::make_shared<AnalyzeOptions>();
    Command* command = parent.add_subcommand(
        "analyze", "best lines of a position, or comments on the games of a PGN");
    command->alias("analyse");
    command
        ->add_option("input", options->input, "FEN, 'startpos', or PGN file; '-' is PGN on stdin")
        ->required();
    command->add_option("--depth", options->depth, "plies")->range(1, 100);
    command->add_option("--nodes", options->nodes, "positions embedded")->positive();
    command
        ->add_option("--movetime", options->movetime,
                     "milliseconds per position (default: 2000, in games 200)")
        ->positive();
    command->add_option("--lines", options->lines, "how many lines of a position")
        ->range(1, 256)
        ->capture_default_str();
    command->add_option("--plan", options->plan, "how to plan")
        ->one_of({"paper", "deep", "puct"})
        ->capture_default_str();
    command->add_option("--threads", options->threads, "threads")
        ->range(1, planner::Settings::kMaxThreads)
        ->capture_default_str();
    command->add_option("--hash", options->hash, "MiB")->range(1, 65536)->capture_default_str();
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--out", options->out, "where annotated games go; - is stdout")
        ->capture_default_str();
    add_force_flag(*command, options->existing);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_analyze(*options, session.console); });
}

}  // namespace solis::cli
