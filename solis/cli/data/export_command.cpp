// solis data export: a store into other programs' formats.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/progress.h"
#include "solis/cli/data/data_commands.h"
#include "solis/data/formats/format.h"
#include "solis/data/store/reader.h"

namespace solis::cli {
namespace {

struct ExportOptions {
    std::string store;
    std::string format;
    std::string out = "-";
    std::uint64_t limit = 0;  // games, 0 for all
    Existing existing = Existing::Refuse;
    bool skip_damaged = false;
    bool json = false;
};

Result<void> copy_games(data::GameSource& source, data::GameSink& sink, std::uint64_t limit,
                        std::uint64_t total, Console& console) {
    Progress progress(console, "export", total, "games");
    data::LabelledGame game;
    for (std::uint64_t games = 0; limit == 0 || games < limit; progress.update(++games)) {
        const auto more = source.next(game);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        if (auto ok = sink.write(game); !ok) return ok;
    }
    return sink.finish();
}

void report_losses(const data::ExportReport& report, Console& console) {
    if (report.unlabelled != 0) {
        console.note("left out: {} positions without a score", report.unlabelled);
    }
    if (report.left_branches != 0) {
        console.note("left out: {} labelled branches, which the format cannot hold",
                     report.left_branches);
    }
    if (report.unknown_results != 0) {
        console.warn(
            fmt::format("{} positions come from games of unknown result and are written "
                        "as draws: train on the scores, not on the results",
                        report.unknown_results));
    }
}

ExitCode run_export(const ExportOptions& options, Console& console) {
    const auto format = data::format_from_name(options.format);
    if (!format) return console.error(format.error(), ExitCode::Usage);
    auto source = data::StoreSource::open(options.store, on_damage(options.skip_damaged));
    if (!source) return console.error(source.error());
    auto sink = data::create_export(options.out, *format, options.existing);
    if (!sink) return console.error(sink.error());
    const std::uint64_t games = (*source)->file().manifest().summary.games;
    const std::uint64_t total = options.limit == 0 ? games : std::min(options.limit, games);
    if (auto ok = copy_games(**source, **sink, options.limit, total, console); !ok) {
        return console.error(ok.error());
    }
    const data::ExportReport& report = (*sink)->report();
    report_damage(console, (*source)->report());
    report_losses(report, console);
    if (options.json && options.out != "-") {
        print_json(console, {{"out", options.out},
                             {"games", report.games},
                             {"positions", report.positions},
                             {"unlabelled", report.unlabelled},
                             {"left_branches", report.left_branches},
                             {"unknown_results", report.unknown_results}});
    } else {
        console.note("{}: {} positions of {} games", options.out, report.positions, report.games);
    }
    return ExitCode::Ok;
}

std::string export_formats() {
    std::string text;
    for (const data::FormatInfo& info : data::formats()) {
        if (!info.can_export) continue;
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", info.name, info.description);
    }
    return text;
}

}  // namespace

void add_data_export(Command& parent, Session& session) {
    const auto options = std::make_shared<ExportOptions>();
    Command* command = parent.add_subcommand("export", "a store into other programs' formats");
    command->add_option("store", options->store, "store to read")->required();
    command->add_option("--format", options->format, export_formats())->required();
    command->add_option("--out", options->out,
                        "file to write, compressed if it ends in .zst; default standard output");
    command->add_option("--limit", options->limit, "stop after this many games");
    add_force_flag(*command, options->existing);
    add_skip_damaged_flag(*command, options->skip_damaged);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_export(*options, session.console); });
}

}  // namespace solis::cli
