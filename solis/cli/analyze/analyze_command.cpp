// solis analyze: positions and games for people.
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/cli/analyze/analyze.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

planner::Limits limits_of(const AnalyzeOptions& options, planner::Milliseconds time) {
    planner::Limits limits;
    if (options.depth > 0) limits.depth = options.depth;
    if (options.nodes > 0) limits.nodes = options.nodes;
    if (options.movetime > 0) limits.movetime = planner::Milliseconds(options.movetime);
    if (!limits.depth && !limits.nodes && !limits.movetime) limits.movetime = time;
    return limits;
}

}  // namespace

Result<analysis::Analyst> make_analyst(const AnalyzeOptions& options, planner::Milliseconds time,
                                       int lines, std::function<bool()> stop_requested) {
    auto model = open_model(options.model);
    if (!model) return tl::unexpected(model.error());
    planner::Settings settings;
    settings.kind = planner::plan_kind_from(options.plan).value_or(settings.kind);
    settings.multipv = lines;
    settings.threads = options.threads;
    settings.hash_megabytes = static_cast<std::size_t>(options.hash);
    return analysis::Analyst(planner::Planner(std::move(*model), settings),
                             limits_of(options, time), std::move(stop_requested));
}

void add_verdict(nlohmann::ordered_json& json, const analysis::Verdict& verdict) {
    if (verdict.mate) {
        json["mate"] = *verdict.mate;
    } else {
        json["cp"] = verdict.centipawns;
    }
    json["win_probability"] = verdict.win_probability;
}

namespace {

bool has_suffix(std::string text, std::initializer_list<std::string_view> suffixes) {
    if (text.ends_with(".zst")) text.resize(text.size() - 4);
    return std::any_of(suffixes.begin(), suffixes.end(),
                       [&](std::string_view suffix) { return text.ends_with(suffix); });
}

ExitCode run_analyze(const AnalyzeOptions& options, Console& console) {
    if (options.input.empty() == options.list.empty()) {
        return console.error({options.input.empty() ? "nothing to analyze" : "two kinds of input",
                              "give FENs, 'startpos' or a PGN file, or --file with a list"},
                             ExitCode::Usage);
    }
    std::error_code ignored;
    const std::string text = fmt::format("{}", fmt::join(options.input, " "));
    const bool is_file = std::filesystem::is_regular_file(text, ignored);
    const bool is_list =
        !options.list.empty() || (is_file && has_suffix(text, {".epd", ".fen", ".txt"}));
    if (!is_list && (is_file || text == "-" || has_suffix(text, {".pgn"}))) {
        return analyze_games(text, options, console);
    }
    const auto positions = !is_list ? positions_from_words(options.input)
                                    : positions_from_list(is_file ? text : options.list);
    if (!positions) return console.error(positions.error());
    return analyze_positions(*positions, options, console);
}

}  // namespace

void add_analyze(Command& parent, Session& session) {
    const auto options = std::make_shared<AnalyzeOptions>();
    Command* command = parent.add_subcommand(
        "analyze", "best lines of positions, or comments on the games of a PGN");
    command->alias("analyse");
    command->add_option("input", options->input,
                        "FENs, 'startpos', PGN file ('-' is PGN on stdin), or a list of positions "
                        "(.epd, .fen, .txt)");
    command->add_option("--file", options->list,
                        "FENs or EPD, one per line; '-' is standard input");
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
    add_model_options(*command, options->model);
    command->add_option("--out", options->out, "where annotated games go; - is stdout")
        ->capture_default_str();
    add_force_flag(*command, options->existing);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_analyze(*options, session.console); });
}

}  // namespace solis::cli
