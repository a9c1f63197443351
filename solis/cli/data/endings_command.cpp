// solis data endings: a store of random endings with exact distances to mate.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/data/data_commands.h"
#include "solis/data/ending_source.h"

namespace solis::cli {
namespace {

struct EndingsCommand {
    data::EndingOptions endings;
    std::string out;
    std::uint64_t positions = 100'000;
    std::uint64_t seed = 1;
    bool json = false;
};

// Nothing is written yet, so Ctrl-C may end the program here at once.
Result<std::unique_ptr<data::GameSource>> solve_endings(const data::EndingOptions& endings,
                                                        Console& console) {
    Progress progress(console, "solving", endings.pieces.size(), "endings");
    progress.update(0);
    return data::make_ending_source(endings, [&](std::size_t done) { progress.update(done); });
}

// False after an interrupt.
Result<bool> make_endings(data::GameSource& source, std::uint64_t positions,
                          data::StoreWriter& writer, Console& console) {
    InterruptWatch interrupt;
    Progress progress(console, "endings", positions, "positions");
    data::LabelledGame game;
    for (std::uint64_t i = 0; i < positions; ++i) {
        if (interrupt.requested()) return false;
        const auto more = source.next(game);
        if (!more) return tl::unexpected(more.error());
        if (auto ok = writer.append(game); !ok) return tl::unexpected(ok.error());
        progress.update(i + 1);
    }
    return true;
}

ExitCode run_endings(const EndingsCommand& command, Console& console) {
    data::EndingOptions endings = command.endings;
    endings.seed = Seed{command.seed};
    const auto source = solve_endings(endings, console);
    if (!source) return console.error(source.error(), ExitCode::Usage);
    data::StoreOptions options;
    options.appears_when_closed = true;
    data::Manifest manifest;
    manifest.sources.push_back({fmt::format("random endings {} against a bare king, seed {}",
                                            fmt::join(endings.pieces, " "), command.seed),
                                "endings", command.positions, 0});
    manifest.labellers.push_back({"retrograde analysis", "exact distance to mate"});
    auto writer = data::StoreWriter::create(command.out, manifest, options);
    if (!writer) return console.error(writer.error());
    const auto done = make_endings(**source, command.positions, *writer, console);
    if (!done) return console.error(done.error());
    if (!*done) {
        console.note("interrupted, nothing was written");
        return ExitCode::Interrupted;
    }
    if (auto ok = writer->close(); !ok) return console.error(ok.error());
    const data::StoreSummary& summary = writer->manifest().summary;
    if (command.json) {
        print_json(
            console,
            {{"out", command.out}, {"games", summary.games}, {"labelled", summary.labelled}});
    } else {
        console.note("{}: {} endings, {} labelled positions", command.out, summary.games,
                     summary.labelled);
    }
    return ExitCode::Ok;
}

}  // namespace

void add_data_endings(Command& parent, Session& session) {
    const auto options = std::make_shared<EndingsCommand>();
    Command* command = parent.add_subcommand(
        "endings", "random endings against a bare king, with exact distances to mate");
    command->add_option("--out", options->out, "store to write")->required();
    command
        ->add_option("--pieces", options->endings.pieces,
                     "what the other side has besides its king: one or two of Q, R, B, N")
        ->capture_default_str();
    command->add_option("--positions", options->positions, "endings to make")
        ->positive()
        ->capture_default_str();
    command
        ->add_option("--children", options->endings.children,
                     "random moves to label at each position")
        ->range(0, 256)
        ->capture_default_str();
    command->add_option("--seed", options->seed, "of the positions")->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_endings(*options, session.console); });
}

}  // namespace solis::cli
