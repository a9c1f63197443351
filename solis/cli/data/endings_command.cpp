// solis data endings: a store of random endings with exact distances to mate.
#include <chrono>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/data/data_commands.h"
#include "solis/data/ending_source.h"
#include "solis/lab/label/label_store.h"

namespace solis::cli {
namespace {

struct EndingsCommand {
    data::EndingOptions endings;
    std::string out;
    std::uint64_t positions = 100'000;
    std::uint64_t seed = 1;
    double save_every = 30;  // seconds
    bool json = false;
};

// Nothing is lost, so Ctrl-C may end the program here at once.
Result<std::unique_ptr<data::GameSource>> solve_endings(const data::EndingOptions& endings,
                                                        Console& console) {
    Progress progress(console, "solving", endings.pieces.size(), "endings");
    progress.update(0);
    return data::make_ending_source(endings, [&](std::size_t done) { progress.update(done); });
}

// Adds the endings that the store does not have yet; false after an interrupt. The source draws the
// same endings in every run, so that those of an earlier one are passed over.
Result<bool> make_endings(data::GameSource& source, std::uint64_t positions, lab::LabelStore& store,
                          Console& console) {
    InterruptWatch interrupt;
    Progress progress(console, "endings", positions, "positions");
    const std::uint64_t there = store.summary().games;
    data::LabelledGame game;
    for (std::uint64_t i = 0; i < positions; ++i) {
        if (interrupt.requested()) return false;
        const auto more = source.next(game);
        if (!more) return tl::unexpected(more.error());
        if (i < there) continue;
        if (auto ok = store.add(game); !ok) return tl::unexpected(ok.error());
        progress.update(i + 1);
    }
    return true;
}

void report_endings(const EndingsCommand& command, const data::StoreSummary& summary, bool whole,
                    Console& console) {
    if (command.json) {
        print_json(console, {{"out", command.out},
                             {"games", summary.games},
                             {"labelled", summary.labelled},
                             {"interrupted", !whole}});
        return;
    }
    console.note("{}: {} endings, {} labelled positions", command.out, summary.games,
                 summary.labelled);
    if (!whole) console.note("interrupted; the same command continues");
}

// All that decides which endings come out, but for how many: a run may go on to more of them.
data::Manifest origin_of_endings(const EndingsCommand& command) {
    data::Manifest manifest;
    manifest.sources.push_back(
        {fmt::format("random endings {} against a bare king, {} children, seed {}",
                     fmt::join(command.endings.pieces, " "), command.endings.children,
                     command.seed),
         "endings", 0, 0});
    manifest.labellers.push_back({"retrograde analysis", "exact distance to mate"});
    return manifest;
}

ExitCode run_endings(const EndingsCommand& command, Console& console) {
    // Before the seconds that solving takes: a store of another origin is refused at once.
    auto store = lab::LabelStore::open(
        command.out, origin_of_endings(command),
        std::chrono::milliseconds(static_cast<long long>(command.save_every * 1000)));
    if (!store) return console.error(store.error());
    if (store->continued()) {
        console.note("continuing {} after {} endings", command.out, store->summary().games);
    }
    data::EndingOptions endings = command.endings;
    endings.seed = Seed{command.seed};
    const auto source = solve_endings(endings, console);
    if (!source) return console.error(source.error(), ExitCode::Usage);
    const auto done = make_endings(**source, command.positions, *store, console);
    // Also after a failure: what was made is kept.
    if (auto ok = store->close(); !ok) return console.error(ok.error());
    if (!done) return console.error(done.error());
    report_endings(command, store->summary(), *done, console);
    return *done ? ExitCode::Ok : ExitCode::Interrupted;
}

}  // namespace

void add_data_endings(Command& parent, Session& session) {
    const auto options = std::make_shared<EndingsCommand>();
    Command* command = parent.add_subcommand(
        "endings",
        "random endings against a bare king, with exact distances to mate; continues an "
        "interrupted run");
    command->add_option("--out", options->out, "store to write or to continue")->required();
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
    command
        ->add_option("--save-every", options->save_every,
                     "seconds between writes; a crash loses what came after the last")
        ->range(0.0, 3600.0)
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_endings(*options, session.console); });
}

}  // namespace solis::cli
