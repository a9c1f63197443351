// solis data stats: what a trainer will see.
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/progress.h"
#include "solis/cli/data/data_commands.h"
#include "solis/data/store/stats.h"

namespace solis::cli {
namespace {

struct StatsOptions {
    std::vector<std::string> files;
    bool skip_damaged = false;
    bool json = false;
};

Result<void> count_file(const std::string& path, data::OnDamage on_damage, data::StoreStats& stats,
                        data::ImportReport& report, Progress& progress) {
    auto source = data::StoreSource::open(path, on_damage);
    if (!source) return tl::unexpected(source.error());
    data::LabelledGame game;
    for (;;) {
        const auto more = (*source)->next(game);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        stats.add(game);
        progress.update(stats.summary.positions());
    }
    report.add((*source)->report());
    return {};
}

Result<std::uint64_t> count_positions(const std::vector<std::string>& files) {
    std::uint64_t positions = 0;
    for (const std::string& path : files) {
        const auto file = data::StoreFile::open(path);
        if (!file) return tl::unexpected(file.error());
        for (const data::BlockEntry& block : file->blocks()) positions += block.positions;
    }
    return positions;
}

template <class Bounds>
std::string range_text(const Bounds& from, std::size_t i) {
    if (i + 1 == from.size()) return fmt::format("{}+", from[i]);
    const auto last = from[i + 1] - 1;
    return from[i] == last ? fmt::format("{}", last) : fmt::format("{}-{}", from[i], last);
}

nlohmann::ordered_json stats_json(const data::StoreStats& stats) {
    data::Manifest manifest;
    manifest.summary = stats.summary;
    nlohmann::ordered_json json = manifest_json(manifest)["summary"];
    json["duplicates"] = stats.duplicates;
    json["in_check"] = stats.in_check;
    json["white_to_move"] = stats.white_to_move;
    json["standard_starts"] = stats.standard_starts;
    json["longest"] = stats.longest;
    for (std::size_t i = 0; i < stats.kPhases; ++i) {
        json["men"][range_text(stats.kPhaseFrom, i)] = stats.phases[i];
    }
    for (std::size_t i = 0; i < stats.kLengths; ++i) {
        json["plies"][range_text(stats.kLengthFrom, i)] = stats.lengths[i];
    }
    json["results"] = {{"unknown", stats.results[0]},
                       {"white", stats.results[1]},
                       {"draw", stats.results[2]},
                       {"black", stats.results[3]}};
    return json;
}

void print_stats(Console& console, const data::StoreStats& stats) {
    const data::StoreSummary& s = stats.summary;
    const auto share = [](std::uint64_t part, std::uint64_t all) {
        return all == 0 ? 0.0 : 100 * static_cast<double>(part) / static_cast<double>(all);
    };
    console.print("games         {} (longest {} plies, {:.1f} % from the standard start)\n",
                  s.games, stats.longest, share(stats.standard_starts, s.games));
    console.print("results       {} White, {} drawn, {} Black, {} unknown\n", stats.results[1],
                  stats.results[2], stats.results[3], stats.results[0]);
    console.print("positions     {} ({:.1f} % in branches, {:.1f} % White to move)\n",
                  s.positions(), share(s.branch_positions, s.positions()),
                  share(stats.white_to_move, s.positions()));
    console.print("labelled      {} ({:.2f} % mates), {} looked at twice\n", s.labelled,
                  share(s.mates, s.labelled), s.second_looks);
    console.print("duplicates    {:.2f} %\n", share(stats.duplicates, s.positions()));
    console.print("in check      {:.2f} %\n", share(stats.in_check, s.positions()));
    console.print("plies of games\n");
    for (std::size_t i = 0; i < stats.kLengths; ++i) {
        console.print("  {:>8}  {:5.1f} %\n", range_text(stats.kLengthFrom, i),
                      share(stats.lengths[i], s.games));
    }
    console.print("men on the board\n");
    for (std::size_t i = 0; i < stats.kPhases; ++i) {
        console.print("  {:>8}  {:5.1f} %\n", range_text(stats.kPhaseFrom, i),
                      share(stats.phases[i], s.positions()));
    }
    console.print("win probability of White\n");
    print_probabilities(console, s);
}

ExitCode run_stats(const StatsOptions& options, Console& console) {
    const auto expected = count_positions(options.files);
    if (!expected) return console.error(expected.error());
    data::StoreStats stats(*expected);
    data::ImportReport report;
    {
        Progress progress(console, "reading", *expected, "positions");
        for (const std::string& path : options.files) {
            const auto ok =
                count_file(path, on_damage(options.skip_damaged), stats, report, progress);
            if (!ok) return console.error(ok.error());
        }
    }
    report_damage(console, report);
    if (options.json) {
        print_json(console, stats_json(stats));
    } else {
        print_stats(console, stats);
    }
    return ExitCode::Ok;
}

}  // namespace

void add_data_stats(Command& parent, Session& session) {
    const auto options = std::make_shared<StatsOptions>();
    Command* command = parent.add_subcommand("stats", "what the positions are like");
    command->add_option("store", options->files, "store files, counted together")->required();
    add_skip_damaged_flag(*command, options->skip_damaged);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_stats(*options, session.console); });
}

}  // namespace solis::cli
