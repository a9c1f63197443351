// solis data merge: several stores into one, each game once.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/file.h"
#include "solis/base/progress.h"
#include "solis/cli/data/data_commands.h"
#include "solis/data/store/key_filter.h"

namespace solis::cli {
namespace {

struct MergeOptions {
    std::string out;
    std::vector<std::string> files;
    bool keep_duplicates = false;
    bool skip_damaged = false;
    bool json = false;
};

struct MergeCounts {
    std::uint64_t duplicates = 0;
    data::ImportReport report;
};

Result<std::uint64_t> merge_origins(const MergeOptions& options, data::Manifest& origin) {
    std::uint64_t games = 0;
    for (const std::string& path : options.files) {
        const auto file = data::StoreFile::open(path);
        if (!file) return tl::unexpected(file.error());
        origin.add_origin(file->manifest());
        games += file->manifest().summary.games;
    }
    return games;
}

Result<void> append_file(const std::string& path, data::OnDamage on_damage,
                         data::StoreWriter& writer, data::KeyFilter* seen, MergeCounts& counts,
                         Progress& progress) {
    auto source = data::StoreSource::open(path, on_damage);
    if (!source) return tl::unexpected(source.error());
    data::LabelledGame game;
    for (;;) {
        const auto more = (*source)->next(game);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        progress.update(writer.manifest().summary.games + counts.duplicates);
        if (seen != nullptr && !seen->insert(data::game_identity(game))) {
            ++counts.duplicates;
            continue;
        }
        if (auto ok = writer.append(game); !ok) return ok;
    }
    counts.report.add((*source)->report());
    return {};
}

ExitCode run_merge(const MergeOptions& options, Console& console) {
    if (const std::string twice = first_named_twice(options.files); !twice.empty()) {
        return console.error({fmt::format("the store '{}' is named twice", twice), {}},
                             ExitCode::Usage);
    }
    data::Manifest origin;
    const auto games = merge_origins(options, origin);
    if (!games) return console.error(games.error());
    auto writer = data::StoreWriter::create(options.out, origin, {.appears_when_closed = true});
    if (!writer) return console.error(writer.error());
    constexpr std::uint64_t kFilterBytes = std::uint64_t{1} << 31;
    data::KeyFilter seen(*games, kFilterBytes);
    MergeCounts counts;
    {
        Progress progress(console, "merging", *games, "games");
        for (const std::string& path : options.files) {
            const auto ok =
                append_file(path, on_damage(options.skip_damaged), *writer,
                            options.keep_duplicates ? nullptr : &seen, counts, progress);
            if (!ok) return console.error(ok.error());
        }
    }
    if (auto ok = writer->close(); !ok) return console.error(ok.error());
    report_damage(console, counts.report);
    const data::StoreSummary& s = writer->manifest().summary;
    if (options.json) {
        print_json(console, {{"file", options.out},
                             {"games", s.games},
                             {"labelled", s.labelled},
                             {"duplicate_games", counts.duplicates}});
    } else {
        console.print("{}: {} games, {} labels, {} duplicate games left out\n", options.out,
                      s.games, s.labelled, counts.duplicates);
    }
    return ExitCode::Ok;
}

}  // namespace

void add_data_merge(Command& parent, Session& session) {
    const auto options = std::make_shared<MergeOptions>();
    Command* command = parent.add_subcommand("merge", "join stores, each game once");
    command->add_option("out", options->out, "new store")->required();
    command->add_option("stores", options->files, "stores to join; of equal games the first stays")
        ->required();
    command->add_flag("--keep-duplicates", options->keep_duplicates, "keep games that are equal");
    add_skip_damaged_flag(*command, options->skip_damaged);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_merge(*options, session.console); });
}

}  // namespace solis::cli
