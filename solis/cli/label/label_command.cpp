// solis label: labels positions with a UCI engine or a teacher inside and stores them.
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/file.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/commands.h"
#include "solis/cli/damage.h"
#include "solis/cli/label/inputs.h"
#include "solis/cli/label/options.h"
#include "solis/lab/label/label_store.h"
#include "solis/lab/label/labeller.h"

namespace solis::cli {
namespace {

struct LabelCommand {
    LabelFlags flags;
    std::string out;
    LabelInputs inputs;
    std::uint64_t games = 0;
    std::uint64_t positions = 0;
    double save_every = 30;  // seconds
    bool chess960 = false;
    bool json = false;
};

// Batches of whole games are long enough to hide the cost of clearing the engine's memory; lists
// hold single positions.
std::size_t batch_size(const LabelCommand& command) {
    return command.inputs.files.empty() ? 16 : 256;
}

// All that decides which labels come out, so that a run is only continued by its like.
data::Manifest origin_of(const LabelCommand& command, const PreparedRun& prepared) {
    const LabelFlags& flags = command.flags;
    data::Manifest manifest;
    const std::string what =
        command.inputs.files.empty() ? describe_self_play(flags) : describe_inputs(command.inputs);
    manifest.sources.push_back(
        {fmt::format("{}, seed {}, {}", what, flags.seed, describe_labels(flags)), "labeller", 0,
         0});
    manifest.labellers.push_back(
        {prepared.engine_name,
         flags.labels.again
             ? fmt::format("second look at {}", describe_limits(flags.labels.second_limits))
             : describe_depth(flags, prepared.run)});
    return manifest;
}

class StoreSession {
  public:
    StoreSession(const LabelCommand& command, lab::LabelStore& store, Console& console)
        : command_(command),
          store_(store),
          console_(console),
          already_(store.summary().games % batch_size(command)),
          first_labelled_(store.summary().labelled),
          progress_(console, "labelling", command.positions, "positions") {}

    [[nodiscard]] bool has_enough() {
        const data::StoreSummary& summary = store_.summary();
        return (command_.games != 0 && summary.games >= command_.games) ||
               (command_.positions != 0 && summary.labelled >= command_.positions);
    }

    // False: enough.
    Result<bool> take(const data::LabelledGame& game) {
        if (already_ > 0) {  // the batch was begun by an earlier session
            --already_;
            return true;
        }
        if (auto added = store_.add(game); !added) return tl::unexpected(added.error());
        progress_.update(store_.summary().labelled,
                         fmt::format("{} games", store_.summary().games));
        return !has_enough();
    }

    void note_restart(const Error& error) {
        progress_.clear();
        console_.warn(error.message + "; the engine is started again");
    }
    void end_progress() { progress_.clear(); }
    [[nodiscard]] std::uint64_t labelled_now() {
        return store_.summary().labelled - first_labelled_;
    }

  private:
    const LabelCommand& command_;
    lab::LabelStore& store_;
    Console& console_;
    std::uint64_t already_;
    std::uint64_t first_labelled_;
    Progress progress_;
};

void report(const LabelCommand& command, const lab::LabelStats& stats, lab::LabelStore& store,
            double seconds, std::uint64_t labelled_now, Console& console) {
    const data::StoreSummary summary = store.summary();
    const double rate = static_cast<double>(labelled_now) / std::max(seconds, 1e-9);
    if (command.json) {
        print_json(console, {{"file", command.out},
                             {"games", summary.games},
                             {"positions", summary.positions()},
                             {"labelled", summary.labelled},
                             {"labelled_now", labelled_now},
                             {"searches", stats.searched.searches},
                             {"restarts", stats.restarts},
                             {"seconds", seconds},
                             {"interrupted", stats.interrupted}});
        return;
    }
    console.note("{}: {} games, {} labelled positions; {} now in {}, {:.0f}/s", command.out,
                 summary.games, summary.labelled, labelled_now, format_duration(seconds), rate);
    if (stats.interrupted) console.note("interrupted; the same command continues");
}

// `source` is null for self-play.
ExitCode label_into(const LabelCommand& command, const PreparedRun& prepared,
                    data::GameSource* source, lab::LabelStore& store, Console& console) {
    if (store.continued()) {
        console.note("continuing {} after {} games", command.out, store.summary().games);
    }
    lab::SupplyOptions supply_options;
    supply_options.seed = Seed{command.flags.seed};
    supply_options.batch_size = batch_size(command);
    supply_options.first_game =
        store.summary().games / supply_options.batch_size * supply_options.batch_size;
    supply_options.end_game = command.games;
    const auto supply =
        source
            ? lab::make_list_supply(*source, command.chess960, command.flags.labels, supply_options)
            : lab::make_self_play_supply(command.flags.play, command.flags.labels, supply_options);
    InterruptWatch interrupt;
    StoreSession session(command, store, console);
    lab::LabelHooks hooks;
    hooks.take = [&](const data::LabelledGame& game) { return session.take(game); };
    hooks.interrupted = [&] { return interrupt.requested(); };
    hooks.restarted = [&](const Error& error) { session.note_restart(error); };

    const auto start = std::chrono::steady_clock::now();
    const auto stats = session.has_enough() ? Result<lab::LabelStats>(lab::LabelStats{})
                                            : lab::label_games(prepared.run, *supply, hooks);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    session.end_progress();
    // Also after a failure: what is labelled is kept.
    if (auto closed = store.close(); !closed) return console.error(closed.error());
    if (!stats) return console.error(stats.error());
    if (source && source->report().bad_rows > 0) {
        for (const std::string& text : source->report().first_errors) console.warn(text);
        console.warn(fmt::format("{} bad rows were skipped", source->report().bad_rows));
    }
    report(command, *stats, store, elapsed.count(), session.labelled_now(), console);
    return stats->interrupted ? ExitCode::Interrupted : ExitCode::Ok;
}

// What does not go together.
std::optional<Error> why_senseless(const LabelCommand& command) {
    const bool self_play = command.inputs.files.empty();
    if (self_play && command.inputs.plan_trees > 0) {
        return Error{"plans need positions to start from", "name games with --from"};
    }
    if (command.flags.labels.again && (self_play || command.inputs.plan_trees > 0)) {
        return Error{"only labels that are there can be looked at again",
                     "name a store with --from, without --plan-trees"};
    }
    if (self_play && command.games == 0 && command.positions == 0) {
        return Error{"self-play never ends by itself", "give --positions or --games"};
    }
    for (const std::string& file : command.inputs.files) {
        if (!is_same_file(file, command.out)) continue;
        return Error{fmt::format("'{}' is read and written at the same time", file),
                     "give --out another name"};
    }
    return std::nullopt;
}

ExitCode run_label(const LabelCommand& command, Console& console) {
    if (const auto why = why_senseless(command)) return console.error(*why, ExitCode::Usage);
    const auto prepared = command.flags.teacher.empty()
                              ? prepare_label_run(command.flags, command.chess960)
                              : prepare_teacher_run(command.flags, command.inputs.files.empty());
    if (!prepared) return console.error(prepared.error());
    std::unique_ptr<data::GameSource> source;
    if (!command.inputs.files.empty()) {
        auto opened = open_label_inputs(command.inputs, command.flags.seed);
        if (!opened) return console.error(opened.error());
        source = std::move(*opened);
    }
    auto store = lab::LabelStore::open(
        command.out, origin_of(command, *prepared),
        std::chrono::milliseconds(static_cast<long long>(command.save_every * 1000)),
        on_damage(command.inputs.skip_damaged));
    if (!store) return console.error(store.error());
    for (const data::Damage& damage : store->damage()) {
        console.warn(fmt::format("{} stays damaged, {}", command.out, data::to_text(damage)));
    }
    return label_into(command, *prepared, source.get(), *store, console);
}

}  // namespace

void add_label(Command& parent, Session& session) {
    const auto options = std::make_shared<LabelCommand>();
    Command* command = parent.add_subcommand(
        "label", "label positions with a UCI engine or a teacher; continues an interrupted run");
    command->add_option("--out", options->out, "store to write or to continue")->required();
    add_label_inputs(*command, options->inputs);
    command->add_option("--games", options->games, "stop after so many games");
    command->add_option("--positions", options->positions,
                        "stop at the end of the game that reaches so many labelled positions");
    command
        ->add_option("--save-every", options->save_every,
                     "seconds between writes; a crash loses what came after the last")
        ->range(0.0, 3600.0)
        ->capture_default_str();
    command->add_flag("--chess960", options->chess960, "allow positions with Chess960 castling");
    add_label_flags(*command, options->flags);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_label(*options, session.console); });
}

}  // namespace solis::cli
