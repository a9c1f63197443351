// solis paper elo, depth and nodes: the paper's experiments, played.
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/cli/paper/paper_commands.h"
#include "solis/cli/paper/play.h"

namespace solis::cli {
namespace {

// Tables and plots beside the logs; the table, or JSON, on stdout.
ExitCode publish(const PaperRunOptions& options, const std::string& name, const std::string& text,
                 const std::string& json, const std::string& svg, Console& console) {
    const std::filesystem::path folder = options.folder;
    for (const auto& [ending, content] :
         {std::pair{".txt", text}, {".json", json + "\n"}, {".svg", svg}}) {
        if (auto ok = write_file_atomically(folder / (name + ending), content); !ok) {
            return console.error(ok.error());
        }
    }
    console.print("{}", options.json ? json + "\n" : text);
    console.note("written to {0}/{1}.txt, .json and .svg", options.folder, name);
    return ExitCode::Ok;
}

ExitCode run_elo(const PaperRunOptions& options, Console& console) {
    const auto played = play_ladder(options, console);
    if (!played) return console.error(played.error());
    const ExitCode code =
        publish(options, "elo", lab::ladder_text(played->rated), lab::ladder_json(played->rated),
                lab::ladder_svg(played->rated), console);
    return played->interrupted ? ExitCode::Interrupted : code;
}

// Both commands play the same matches: what one has played the other finds in the folder.
ExitCode run_depth(const PaperRunOptions& options, bool nodes, Console& console) {
    const auto played = play_depths(options, console);
    if (!played) return console.error(played.error());
    if (played->matches.empty()) {
        if (played->interrupted) return ExitCode::Interrupted;
        return console.error({"no game came to its end", "the same command continues"});
    }
    const std::span<const lab::DepthMatch> matches = played->matches;
    const std::string text = nodes ? lab::nodes_text(matches) : lab::depth_text(matches);
    const ExitCode code = publish(options, nodes ? "nodes" : "depth", text,
                                  lab::depth_json(matches), lab::depth_svg(matches), console);
    return played->interrupted ? ExitCode::Interrupted : code;
}

void add_depth_command(Command& parent, Session& session, const char* name, const char* help,
                       bool nodes) {
    const auto options = std::make_shared<PaperRunOptions>();
    Command* command = parent.add_subcommand(name, help);
    add_run_options(*command, *options, "200");
    command->parse_complete_callback([options] {
        settle_depth(*options);
        check_values(*options);
    });
    command->callback([options, nodes, &session] {
        session.exit_code = run_depth(*options, nodes, session.console);
    });
}

}  // namespace

void add_paper_elo(Command& parent, Session& session) {
    const auto options = std::make_shared<PaperRunOptions>();
    Command* command = parent.add_subcommand(
        "elo", "the ladder: every depth, width and scoring against Stockfish's rating caps");
    add_run_options(*command, *options, "100");
    command
        ->add_option("--cap", options->caps,
                     "Stockfish's UCI_Elo; may be repeated (default: 1350 to its most)")
        ->one_at_a_time();
    command->add_option("--cap-step", options->cap_step, "between the default caps")
        ->range(10, 1000)
        ->capture_default_str();
    command
        ->add_option("--nodes", options->nodes,
                     "of Stockfish per move instead of 50 ms: the same games on a busy machine")
        ->range(1, 1e9);
    command->parse_complete_callback([options] {
        settle_elo(*options);
        check_values(*options);
    });
    command->callback(
        [options, &session] { session.exit_code = run_elo(*options, session.console); });
}

void add_paper_depth(Command& parent, Session& session) {
    add_depth_command(parent, session, "depth", "matches against Stockfish at equal depth", false);
}

void add_paper_nodes(Command& parent, Session& session) {
    add_depth_command(parent, session, "nodes", "nodes of both sides in the matches of depth",
                      true);
}

}  // namespace solis::cli
