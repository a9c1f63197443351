// solis data info: what a store contains and whether it is whole.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/progress.h"
#include "solis/cli/data/data_commands.h"

namespace solis::cli {
namespace {

struct InfoOptions {
    std::vector<std::string> files;
    bool quick = false;
    bool skip_damaged = false;
    bool json = false;
};

struct Checked {
    data::StoreFile file;
    std::vector<data::Damage> damage;
    std::uint64_t lost_games = 0;  // of damaged blocks whose header could be read
};

Checked count_lost(Checked checked) {
    for (const data::Damage& damage : checked.damage) checked.lost_games += damage.games;
    return checked;
}

// Unless `quick`, every block is read, so that no damage goes unnoticed.
Result<Checked> check_store(const std::string& path, bool quick, Console& console) {
    auto file = quick ? data::StoreFile::open(path) : data::StoreFile::scan(path);
    if (!file) return tl::unexpected(file.error());
    Checked checked{std::move(*file), {}, 0};
    checked.damage = checked.file.damage();
    if (quick) return count_lost(std::move(checked));
    Progress progress(console, "checking", checked.file.blocks().size(), "blocks");
    std::vector<data::LabelledGame> games;
    std::uint64_t done = 0;
    for (const data::BlockEntry& block : checked.file.blocks()) {
        if (auto ok = checked.file.read(block, games); !ok) {
            checked.damage.push_back(checked.file.damage_of(block, ok.error()));
        }
        progress.update(++done);
    }
    return count_lost(std::move(checked));
}

double bytes_per_position(const data::StoreFile& file) {
    const std::uint64_t labelled = file.manifest().summary.labelled;
    return labelled == 0 ? 0
                         : static_cast<double>(file.file_size()) / static_cast<double>(labelled);
}

nlohmann::ordered_json info_json(const std::string& path, const Checked& checked) {
    nlohmann::ordered_json report{{"file", path},
                                  {"bytes", checked.file.file_size()},
                                  {"bytes_per_position", bytes_per_position(checked.file)},
                                  {"blocks", checked.file.blocks().size()},
                                  {"indexed", checked.file.has_index()},
                                  {"damage", nlohmann::ordered_json::array()},
                                  {"lost_games", checked.lost_games},
                                  {"manifest", manifest_json(checked.file.manifest())}};
    for (const data::Damage& damage : checked.damage) {
        report["damage"].push_back({{"offset", damage.offset},
                                    {"block", damage.block},
                                    {"games", damage.games},
                                    {"reason", damage.reason}});
    }
    return report;
}

void print_origin(Console& console, const data::Manifest& manifest) {
    for (const data::DataSource& source : manifest.sources) {
        console.print("source     {} ({})", source.name, source.format);
        // A labeller does not know beforehand how many games it will make.
        if (source.games != 0) console.print(": {} games", source.games);
        if (source.bad_rows != 0) console.print(", {} rows skipped", source.bad_rows);
        console.print("\n");
    }
    for (const data::LabellerInfo& labeller : manifest.labellers) {
        console.print("labelled   {}, {}\n", labeller.engine, labeller.limit);
    }
    if (!manifest.split.empty()) console.print("split      {}\n", manifest.split);
    if (!manifest.note.empty()) console.print("note       {}\n", manifest.note);
}

void print_info(Console& console, const std::string& path, const Checked& checked) {
    const data::StoreSummary& s = checked.file.manifest().summary;
    console.print(fmt::emphasis::bold, "{}\n", path);
    print_origin(console, checked.file.manifest());
    console.print("games      {}\n", s.games);
    console.print("positions  {} ({} on lines, {} in branches)\n", s.positions(), s.line_positions,
                  s.branch_positions);
    console.print("labels     {} ({} mates), {} looked at twice\n", s.labelled, s.mates,
                  s.second_looks);
    console.print("size       {} bytes in {} blocks, {:.3f} bytes per labelled position\n",
                  checked.file.file_size(), checked.file.blocks().size(),
                  bytes_per_position(checked.file));
    console.print("content    {:016x}\n", s.content_hash);
    if (!checked.file.has_index()) {
        console.print("index      none: not closed cleanly, found by scanning\n");
    }
    for (const data::Damage& damage : checked.damage) {
        console.print(fg(fmt::terminal_color::red), "damage     {}\n", data::to_text(damage));
    }
    if (checked.lost_games != 0) console.print("lost       {} games\n", checked.lost_games);
}

ExitCode run_info(const InfoOptions& options, Console& console) {
    ExitCode code = ExitCode::Ok;
    for (const std::string& path : options.files) {
        const auto checked = check_store(path, options.quick, console);
        if (!checked) {
            code = console.error(checked.error());
            continue;
        }
        if (options.json) {
            print_json(console, info_json(path, *checked));
        } else {
            print_info(console, path, *checked);
        }
        if (!checked->damage.empty() && !options.skip_damaged) code = ExitCode::Failed;
    }
    return code;
}

}  // namespace

void add_data_info(Command& parent, Session& session) {
    const auto options = std::make_shared<InfoOptions>();
    Command* command =
        parent.add_subcommand("info", "what stores contain and whether they are whole");
    command->add_option("store", options->files, "store files")->required();
    command->add_flag("--quick", options->quick, "trust the index, do not read the blocks");
    command->add_flag("--skip-damaged", options->skip_damaged,
                      "damage is listed and is no failure");
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_info(*options, session.console); });
}

}  // namespace solis::cli
