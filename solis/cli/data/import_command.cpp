// solis data import: other programs' labelled positions into a store.
#include <filesystem>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

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
    bool json = false;
};

// A new store is written beside its name and renamed when it is complete; adding to one that
// exists happens in place, which the store survives at any point.
struct Output {
    fs::path path;
    fs::path written;
    bool is_new;

    ~Output() {
        std::error_code ignored;
        if (is_new) fs::remove(written, ignored);
    }
};

Result<data::StoreWriter> open_writer(const Output& output) {
    if (!output.is_new) return data::StoreWriter::open_for_append(output.path);
    if (fs::exists(output.path)) {
        return fail(fmt::format("'{}' exists already", output.path.string()),
                    "choose another name, or add to it with --append");
    }
    return data::StoreWriter::create(output.written, {});
}

// Games copied.
Result<std::uint64_t> copy_games(data::GameSource& source, data::StoreWriter& writer,
                                 std::uint64_t limit, Console& console) {
    Progress progress(console, "import", limit, "games");
    data::LabelledGame game;
    std::uint64_t games = 0;
    while (limit == 0 || games < limit) {
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
    auto source = data::open_import(options.inputs, format, threads);
    if (!source) return console.error(source.error());

    Output output{options.out, fmt::format("{}.{}.tmp", options.out, ::getpid()),
                  !(options.append && fs::exists(options.out))};
    auto writer = open_writer(output);
    if (!writer) return console.error(writer.error());
    const auto games = copy_games(**source, *writer, options.limit, console);
    if (!games) return console.error(games.error());
    const data::ImportReport& report = (*source)->report();
    writer->manifest().sources.push_back(
        {.name = options.source.empty() ? fmt::format("{}", fmt::join(options.inputs, " "))
                                        : options.source,
         .format = std::string(format_name(options, format)),
         .games = *games,
         .bad_rows = report.bad_rows});
    if (auto closed = writer->close(); !closed) return console.error(closed.error());
    report_import(report, writer->manifest().summary, *games, options, console);
    if (*games == 0) return console.error({"no game could be read, nothing was written", {}});
    if (output.is_new) {
        std::error_code failure;
        fs::rename(output.written, output.path, failure);
        if (failure) {
            return console.error(
                {fmt::format("cannot write '{}': {}", options.out, failure.message()), {}});
        }
    }
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
    command->add_flag("--append", options->append, "add to the store if there is one");
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_import(*options, session.console); });
}

}  // namespace solis::cli
