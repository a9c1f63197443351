// solis bench data: how small and how fast the store is, next to one packed record per position
// and to text, all of them holding the same labels and compressed alike.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zstd.h>

#include "solis/base/cpu_time.h"
#include "solis/base/scratch_folder.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/data/formats/packed_position.h"
#include "solis/data/formats/tree_text.h"
#include "solis/data/sampler.h"
#include "solis/data/store/reader.h"
#include "solis/data/store/writer.h"
#include "solis/lab/bench/bench_games.h"

namespace solis::cli {
namespace {

constexpr int kZstdLevel = 3;
constexpr int kRounds = 3;

using Games = std::vector<data::LabelledGame>;

struct BenchDataOptions {
    std::string store;
    std::size_t positions = 1'000'000;
    bool json = false;
};

// Size and speed of one way to keep the labelled positions.
struct FormatCost {
    std::string name;
    double bytes = 0;   // per position
    double encode = 0;  // positions per second of one core
    double decode = 0;  // to positions on the board
};

template <class Work>
double best_seconds_of(Work&& work) {
    double best = seconds_of(work);
    for (int i = 1; i < kRounds; ++i) best = std::min(best, seconds_of(work));
    return best;
}

Bytes compressed(ByteView raw) {
    Bytes packed(ZSTD_compressBound(raw.size()));
    packed.resize(ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), kZstdLevel));
    return packed;
}

Bytes decompressed(const Bytes& packed, std::size_t size) {
    Bytes raw(size);
    raw.resize(ZSTD_decompress(raw.data(), raw.size(), packed.data(), packed.size()));
    return raw;
}

// What keeps the optimiser from dropping a loop, and shows that all formats hold the same.
struct PositionTally {
    std::uint64_t positions = 0;
    std::uint64_t keys = 0;

    void add(const chess::Position& position) {
        ++positions;
        keys += position.key();
    }
    void add(const data::LabelledGame& game) {
        data::walk_positions(game,
                             [&](const chess::Position& p, const data::PositionLabel&) { add(p); });
    }
    friend bool operator==(const PositionTally&, const PositionTally&) = default;
};

Result<FormatCost> measure_store(const Games& games, const std::filesystem::path& path,
                                 const PositionTally& expected) {
    FormatCost m{"store", 0, 0, 0};
    Result<void> written;
    const double write_seconds = seconds_of([&] {
        auto writer = data::StoreWriter::create(path, {}, {.zstd_level = kZstdLevel});
        written = writer ? Result<void>() : tl::unexpected(writer.error());
        for (std::size_t i = 0; written && i < games.size(); ++i)
            written = writer->append(games[i]);
        if (written) written = writer->close();
    });
    if (!written) return tl::unexpected(written.error());
    const auto file = data::StoreFile::open(path);
    if (!file) return tl::unexpected(file.error());
    PositionTally tally;
    const double read_seconds = best_seconds_of([&] {
        tally = {};
        Games block_games;
        for (const data::BlockEntry& block : file->blocks()) {
            if (!file->read(block, block_games)) return;
            for (const data::LabelledGame& game : block_games) tally.add(game);
        }
    });
    if (!(tally == expected)) return fail("the store gave back other positions");
    const double n = static_cast<double>(tally.positions);
    m.bytes = static_cast<double>(file->file_size()) / n;
    m.encode = n / write_seconds;
    m.decode = n / read_seconds;
    return m;
}

Result<FormatCost> measure_records(const Games& games, const PositionTally& expected) {
    FormatCost m{"packed records", 0, 0, 0};
    Bytes raw, packed;
    const double write_seconds = seconds_of([&] {
        for (const data::LabelledGame& game : games) {
            data::walk_positions(
                game, [&](const chess::Position& position, const data::PositionLabel& label) {
                    data::append_packed(raw, position);
                    append_little_endian(raw, static_cast<std::uint16_t>(label.score.value()));
                });
        }
        packed = compressed(raw);
    });
    PositionTally tally;
    const double read_seconds = best_seconds_of([&] {
        tally = {};
        const Bytes content = decompressed(packed, raw.size());
        ByteReader reader(content);
        while (reader.remaining() != 0) {
            const auto position = data::read_packed(reader);
            if (!position) return;
            static_cast<void>(reader.number<std::uint16_t>());
            tally.add(*position);
        }
    });
    if (!(tally == expected)) return fail("the packed records gave back other positions");
    const double n = static_cast<double>(tally.positions);
    m.bytes = static_cast<double>(packed.size()) / n;
    m.encode = n / write_seconds;
    m.decode = n / read_seconds;
    return m;
}

Result<FormatCost> measure_text(const Games& games, const PositionTally& expected) {
    FormatCost m{"tree text", 0, 0, 0};
    std::string raw;
    Bytes packed;
    const double write_seconds = seconds_of([&] {
        for (const data::LabelledGame& game : games) raw += data::to_tree_text(game) + "\n";
        packed = compressed(as_bytes(raw));
    });
    PositionTally tally;
    const double read_seconds = best_seconds_of([&] {
        tally = {};
        const Bytes content = decompressed(packed, raw.size());
        data::TreeTextSource source(memory_source(as_text(content)));
        data::LabelledGame game;
        for (auto more = source.next(game); more && *more; more = source.next(game)) {
            tally.add(game);
        }
    });
    if (!(tally == expected)) return fail("tree text gave back other positions");
    const double n = static_cast<double>(tally.positions);
    m.bytes = static_cast<double>(packed.size()) / n;
    m.encode = n / write_seconds;
    m.decode = n / read_seconds;
    return m;
}

// Shuffled positions per second of one core, the background thread included.
Result<double> measure_sampler(const std::filesystem::path& path) {
    data::SamplerOptions options;
    options.prefetch = false;
    auto sampler = data::PositionSampler::open({path}, options);
    if (!sampler) return tl::unexpected(sampler.error());
    std::vector<data::Sample> batch(1024);
    std::uint64_t drawn = 0;
    Result<void> ok;
    const double seconds = seconds_of([&] {
        for (; ok && drawn < sampler->size(); drawn += batch.size()) ok = sampler->next(batch);
    });
    if (!ok) return tl::unexpected(ok.error());
    return static_cast<double>(drawn) / seconds;
}

nlohmann::ordered_json to_json(const FormatCost& m) {
    return {{"name", m.name},
            {"bytes_per_position", m.bytes},
            {"encode_per_second", m.encode},
            {"decode_per_second", m.decode}};
}

void print_results(Console& console, const std::vector<FormatCost>& all, double sampler) {
    console.print("{:<16}{:>16}{:>16}{:>16}\n", "", "bytes/position", "encode M/s", "decode M/s");
    for (const FormatCost& m : all) {
        console.print("{:<16}{:>16.2f}{:>16.2f}{:>16.2f}\n", m.name, m.bytes, m.encode / 1e6,
                      m.decode / 1e6);
    }
    console.print("sampler {:.2f} M positions/s, {:.1f} times what a trainer at 200,000/s eats\n",
                  sampler / 1e6, sampler / 200'000);
    console.print(
        "ratio {:.2f} (decoding, to packed records), {:.2f} (to tree text), "
        "size 1/{:.1f} of packed records\n",
        all[0].decode / all[1].decode, all[0].decode / all[2].decode, all[1].bytes / all[0].bytes);
}

ExitCode run_bench_data(const BenchDataOptions& options, Console& console) {
    const auto games = lab::bench_games(options.store, options.positions);
    if (!games) return console.error(games.error());
    PositionTally expected;
    for (const data::LabelledGame& game : *games) expected.add(game);
    const auto scratch = ScratchFolder::make();
    if (!scratch) return console.error(scratch.error());
    const std::filesystem::path path = *scratch / "bench.sgt";
    const auto store = measure_store(*games, path, expected);
    const auto sampler = store ? measure_sampler(path) : Result<double>(0);
    if (!store) return console.error(store.error());
    if (!sampler) return console.error(sampler.error());
    const auto records = measure_records(*games, expected);
    if (!records) return console.error(records.error());
    const auto text = measure_text(*games, expected);
    if (!text) return console.error(text.error());

    if (!options.json) {
        print_results(console, {*store, *records, *text}, *sampler);
        return ExitCode::Ok;
    }
    print_json(console, {{"positions", expected.positions},
                         {"store", to_json(*store)},
                         {"peers", {to_json(*records), to_json(*text)}},
                         {"sampler_per_second", *sampler},
                         {"ratio", store->decode / records->decode}});
    return ExitCode::Ok;
}

}  // namespace

void add_bench_data(Command& parent, Session& session) {
    const auto options = std::make_shared<BenchDataOptions>();
    Command* command =
        parent.add_subcommand("data", "store and sampler against packed records and text");
    command->add_option("store", options->store, "take games from here (default: random games)");
    command->add_option("--positions", options->positions, "how many")
        ->range(1, 20'000'000)
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_bench_data(*options, session.console); });
}

}  // namespace solis::cli
