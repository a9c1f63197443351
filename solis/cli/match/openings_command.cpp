// solis openings: makes a list of balanced openings for matches.
#include <memory>

#include <fmt/format.h>

#include "solis/base/byte_sink.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/chess/epd.h"
#include "solis/cli/commands.h"
#include "solis/engine/client/find_engine.h"
#include "solis/lab/match/opening_generator.h"

namespace solis::cli {
namespace {

struct OpeningsCommand {
    lab::GeneratorOptions generator;
    std::string engine;
    std::string out = "-";
    Existing existing = Existing::Refuse;
    std::uint64_t count = 500;
    std::uint64_t seed = 1;
};

std::string to_line(const lab::GeneratedOpening& opening, std::size_t number) {
    chess::EpdRecord record{opening.position, {}};
    record.operations.push_back({"ce", {{std::to_string(opening.score.value()), false}}});
    record.operations.push_back({"id", {{fmt::format("solis {}", number), true}}});
    return chess::to_epd(record) + "\n";
}

Result<void> write(const OpeningsCommand& command,
                   const std::vector<lab::GeneratedOpening>& openings) {
    auto sink = create_sink(command.out, command.existing);
    if (!sink) return tl::unexpected(sink.error());
    for (std::size_t i = 0; i < openings.size(); ++i) {
        if (auto ok = (*sink)->write(to_line(openings[i], i + 1)); !ok) return ok;
    }
    return (*sink)->finish();
}

ExitCode run_openings(OpeningsCommand command, Console& console) {
    if (auto ok = check_output(command.out, command.existing); !ok)
        return console.error(ok.error());
    const auto path =
        command.engine.empty() ? engine::find_stockfish() : engine::find_engine(command.engine);
    if (!path) return console.error(path.error());
    command.generator.engine.command = {*path};
    command.generator.count = command.count;
    command.generator.seed = Seed{command.seed};
    InterruptWatch interrupt;
    Progress progress(console, "openings", command.count, "openings");
    const auto openings = lab::generate_openings(command.generator, [&](std::size_t found) {
        progress.update(found);
        return !interrupt.requested();
    });
    progress.clear();
    if (!openings) return console.error(openings.error());
    const bool interrupted = openings->size() < command.count;
    if (interrupted) {
        console.note("interrupted: {} of {} openings", openings->size(), command.count);
        if (openings->empty()) return ExitCode::Interrupted;
    }
    if (auto written = write(command, *openings); !written) {
        return console.error(written.error());
    }
    return interrupted ? ExitCode::Interrupted : ExitCode::Ok;
}

}  // namespace

void add_openings(Command& parent, Session& session) {
    const auto options = std::make_shared<OpeningsCommand>();
    lab::GeneratorOptions& generator = options->generator;
    Command* command = parent.add_subcommand(
        "openings", "make balanced openings for matches: random lines of moves an engine likes");
    command->add_option("--out", options->out, "EPD file; - is stdout")->capture_default_str();
    add_force_flag(*command, options->existing);
    command->add_option("--count", options->count, "how many")
        ->range(1, 1e6)
        ->capture_default_str();
    command->add_option("--plies", generator.plies, "length")->range(1, 60)->capture_default_str();
    command->add_option("--nodes", generator.nodes, "of the search at each ply")
        ->positive()
        ->capture_default_str();
    command->add_option("--choices", generator.choices, "moves compared at each ply")
        ->range(1, 200)
        ->capture_default_str();
    command
        ->add_option("--window", generator.window, "centipawns a move may be worse than the best")
        ->range(0, 10000)
        ->capture_default_str();
    command->add_option("--max-score", generator.max_score, "of the last position, centipawns")
        ->range(0, 10000)
        ->capture_default_str();
    command->add_option("--seed", options->seed, "of the choice of moves")->capture_default_str();
    command->add_option("--engine", options->engine,
                        "UCI engine with MultiPV (default: the installed Stockfish)");
    command->callback(
        [options, &session] { session.exit_code = run_openings(*options, session.console); });
}

}  // namespace solis::cli
