// solis data import: other programs' labelled positions into a store.
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/data/data_commands.h"
#include "solis/data/formats/format.h"
#include "solis/data/store/writer.h"

namespace solis::cli {
namespace {

namespace fs = std::filesystem;

struct ImportOptions {
    std::vector<std::string> inputs;
    std::string format = "auto";
    std::string out;
    std::string source;
    std::uint64_t limit = 0;  // games, 0 for all
    int threads = 0;
    bool append = false;
    bool skip_damaged = false;
    bool json = false;
};

// A new store appears when it is complete. Adding to one that exists happens in place: all games of
// this import count or, after an error, an interrupt or a kill, none.
Result<data::StoreWriter> open_writer(const ImportOptions& options) {
    data::StoreOptions store;
    store.on_damage = on_damage(options.skip_damaged);
    if (options.append && fs::exists(options.out)) {
        store.all_or_nothing = true;
        return data::StoreWriter::open_or_create(options.out, {}, store);
    }
    store.appears_when_closed = true;
    auto writer = data::StoreWriter::create(options.out, {}, store);
    if (!writer && fs::exists(options.out)) {
        return fail(writer.error().message, "choose another name, or add to it with --append");
    }
    return writer;
}

// Games copied; none after an interrupt.
Result<std::optional<std::uint64_t>> copy_games(data::GameSource& source, data::StoreWriter& writer,
                                                std::uint64_t limit, InterruptWatch& interrupt,
                                                Console& console) {
    Progress progress(console, "import", limit, "games");
    data::LabelledGame game;
    std::uint64_t games = 0;
    while (limit == 0 || games < limit) {
        if (interrupt.requested()) return std::nullopt;
        const auto more = source.next(game);
        if (!more) {
            return fail(more.error().message,
                        games == 0 ? more.error().hint
                                   : fmt::format("the {} games before it can be imported with "
                                                 "--limit {}",
                                                 games, games));
        }
        if (!*more) break;
        if (auto ok = writer.append(game); !ok) return tl::unexpected(ok.error());
        progress.update(++games);
    }
    return games;
}

void report_import(const data::ImportReport& report, const data::StoreSummary& summary,
                   std::uint64_t games, const ImportOptions& options, Console& console) {
    for (const std::string& error : report.first_errors) console.warn(error);
    if (report.bad_rows > report.first_errors.size()) {
        console.warn(
            fmt::format("... and {} more bad rows", report.bad_rows - report.first_errors.size()));
    }
    if (options.json) {
        print_json(console, {{"out", options.out},
                             {"rows", report.rows},
                             {"bad_rows", report.bad_rows},
                             {"games", games},
                             {"store_games", summary.games},
                             {"first_errors", report.first_errors}});
        return;
    }
    console.note("{}: {} games from {} rows, {} bad rows skipped", options.out, games, report.rows,
                 report.bad_rows);
}

// For the manifest; where inputs differ, that of the first.
std::string_view format_name(const ImportOptions& options, std::optional<data::Format> format) {
    if (format) return data::name_of(*format);
    const auto detected = data::detect_format(options.inputs[0]);
    return detected ? data::name_of(*detected) : options.format;
}

ExitCode run_import(const ImportOptions& options, Console& console) {
    std::optional<data::Format> format;
    if (options.format != "auto") {
        const auto named = data::format_from_name(options.format);
        if (!named) return console.error(named.error(), ExitCode::Usage);
        format = *named;
    }
    const int threads = options.threads > 0
                            ? options.threads
                            : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    InterruptWatch interrupt;  // before any thread is started
    auto source = data::open_import(options.inputs, format, threads);
    if (!source) return console.error(source.error());

    auto writer = open_writer(options);
    if (!writer) return console.error(writer.error());
    if (writer->rolled_back()) {
        console.note("{}: an earlier import was interrupted, what it had added was removed",
                     options.out);
    }
    for (const data::Damage& damage : writer->damage()) {
        console.warn(fmt::format("{} stays damaged, {}", options.out, data::to_text(damage)));
    }
    const auto games = copy_games(**source, *writer, options.limit, interrupt, console);
    if (!games) return console.error(games.error());
    if (!*games) {
        console.note("interrupted, nothing was imported");
        return ExitCode::Interrupted;
    }
    const data::ImportReport& report = (*source)->report();
    report_import(report, writer->manifest().summary, **games, options, console);
    if (**games == 0) return console.error({"no game could be read, nothing was written", {}});
    writer->manifest().sources.push_back(
        {.name = options.source.empty() ? fmt::format("{}", fmt::join(options.inputs, " "))
                                        : options.source,
         .format = std::string(format_name(options, format)),
         .games = **games,
         .bad_rows = report.bad_rows});
    if (auto closed = writer->close(); !closed) return console.error(closed.error());
    return ExitCode::Ok;
}

std::string import_formats() {
    std::string text = "format of the inputs: auto";
    for (const data::FormatInfo& info : data::formats()) {
        if (info.can_import) text += fmt::format(", {} ({})", info.name, info.description);
    }
    return text;
}

}  // namespace

void add_data_import(Command& parent, Session& session) {
    const auto options = std::make_shared<ImportOptions>();
    Command* command = parent.add_subcommand("import", "other programs' positions into a store");
    command->add_option("input", options->inputs, "files, '-' for stdin, name@N.bag for shards")
        ->required();
    command->add_option("--out", options->out, "store to write")->required();
    command->add_option("--format", options->format, import_formats());
    command->add_option("--limit", options->limit, "stop after this many games");
    command->add_option("--source", options->source, "name of the origin in the manifest");
    command->add_option("--threads", options->threads, "parsing threads, default one per core")
        ->range(1, 256);
    command->add_flag("--append", options->append,
                      "add to the store if there is one: all games of this import, or none");
    command->add_flag("--skip-damaged", options->skip_damaged,
                      "add to a damaged store, too; its damage stays");
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_import(*options, session.console); });
}

}  // namespace solis::cli
