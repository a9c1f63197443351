// solis data split: one store per split, by game and never by position.
#include <cmath>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/progress.h"
#include "solis/cli/data/data_commands.h"

namespace solis::cli {
namespace {

struct SplitOptions {
    std::string file;
    std::string out;
    double validation = 2;  // percent
    double test = 2;
    bool skip_damaged = false;
    bool json = false;
};

constexpr std::array kSplits{data::Split::Train, data::Split::Validation, data::Split::Test};

std::string path_of(const SplitOptions& options, data::Split split) {
    std::filesystem::path stem = options.out.empty() ? options.file : options.out;
    stem.replace_extension();
    return fmt::format("{}.{}{}", stem.string(), data::name_of(split), data::kStoreExtension);
}

Result<std::vector<data::StoreWriter>> create_writers(const SplitOptions& options,
                                                      const data::Manifest& origin) {
    std::vector<data::StoreWriter> writers;
    for (const data::Split split : kSplits) {
        data::Manifest manifest = origin;
        manifest.split = data::name_of(split);
        auto writer = data::StoreWriter::create(path_of(options, split), manifest,
                                                {.appears_when_closed = true});
        if (!writer) return tl::unexpected(writer.error());
        writers.push_back(std::move(*writer));
    }
    return writers;
}

Result<void> distribute(data::StoreSource& source, data::SplitShares shares,
                        std::vector<data::StoreWriter>& writers, Progress& progress) {
    data::LabelledGame game;
    std::uint64_t done = 0;
    for (;;) {
        const auto more = source.next(game);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        auto& writer = writers[static_cast<std::size_t>(data::split_of(game, shares))];
        if (auto ok = writer.append(game); !ok) return ok;
        progress.update(++done);
    }
    for (data::StoreWriter& writer : writers) {
        if (auto ok = writer.close(); !ok) return ok;
    }
    return {};
}

ExitCode run_split(const SplitOptions& options, Console& console) {
    if (options.validation + options.test > 100) {
        return console.error({"validation and test shares add up to more than 100 %", {}},
                             ExitCode::Usage);
    }
    const data::SplitShares shares{static_cast<unsigned>(std::lround(options.validation * 10)),
                                   static_cast<unsigned>(std::lround(options.test * 10))};
    auto source = data::StoreSource::open(options.file, on_damage(options.skip_damaged));
    if (!source) return console.error(source.error());
    const data::Manifest& origin = (*source)->file().manifest();
    auto writers = create_writers(options, origin);
    if (!writers) return console.error(writers.error());
    {
        Progress progress(console, "splitting", origin.summary.games, "games");
        if (auto ok = distribute(**source, shares, *writers, progress); !ok) {
            return console.error(ok.error());
        }
    }
    report_damage(console, (*source)->report());
    nlohmann::ordered_json json;
    for (std::size_t i = 0; i < kSplits.size(); ++i) {
        const data::StoreSummary& s = (*writers)[i].manifest().summary;
        const std::string path = path_of(options, kSplits[i]);
        json[std::string(data::name_of(kSplits[i]))] = {
            {"file", path}, {"games", s.games}, {"labelled", s.labelled}};
        if (!options.json) console.print("{}: {} games, {} labels\n", path, s.games, s.labelled);
    }
    if (options.json) print_json(console, json);
    return ExitCode::Ok;
}

}  // namespace

void add_data_split(Command& parent, Session& session) {
    const auto options = std::make_shared<SplitOptions>();
    Command* command = parent.add_subcommand(
        "split", "cut a store by game into STEM.train.sgt, STEM.validation.sgt, STEM.test.sgt");
    command->add_option("store", options->file, "store file")->required();
    command->add_option("-o,--out", options->out,
                        "STEM of the results (default: beside the store)");
    command->add_option("--validation", options->validation, "share in percent")
        ->range(0.0, 100.0)
        ->capture_default_str();
    command->add_option("--test", options->test, "share in percent")
        ->range(0.0, 100.0)
        ->capture_default_str();
    add_skip_damaged_flag(*command, options->skip_damaged);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_split(*options, session.console); });
}

}  // namespace solis::cli
