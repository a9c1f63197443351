// solis bench umap: our UMAP beside umap-learn on the same embeddings.
#include <chrono>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include "solis/atlas/map.h"
#include "solis/atlas/quality.h"
#include "solis/base/cpu_time.h"
#include "solis/base/scratch_folder.h"
#include "solis/cli/atlas/atlas_options.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/engine/client/child_process.h"
#include "solis/nn/io/npz.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;
using BenchClock = std::chrono::steady_clock;

struct UmapBench {
    MapOptions map;
    SpaceOptions space;
    std::string peer;
    std::uint64_t judged = 1000;
    bool json = false;
};

struct UmapRun {
    std::string name;
    double seconds = 0;  // on the wall
    double cpu = 0;
    atlas::MapQuality quality;
};

double wall_since(BenchClock::time_point start) {
    return std::chrono::duration<double>(BenchClock::now() - start).count();
}

double peak_gigabytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / (1 << 20);  // it is in kB
}

Result<Json> ask_umap_peer(const std::vector<std::string>& command) {
    auto child = engine::ChildProcess::start(command);
    if (!child) return tl::unexpected(child.error());
    child->close_input();
    std::string_view line;
    const auto deadline = BenchClock::now() + std::chrono::hours(2);
    if (child->read_line(line, deadline) != engine::IoStatus::Done) {
        return fail(fmt::format("'{}' gave no answer", command[0]),
                    "it prints one line of JSON, see scripts/umap-peer; install umap-learn");
    }
    Json answer = Json::parse(line, nullptr, false);
    if (!answer.is_object() || !answer.contains("seconds") || !answer["seconds"].is_number()) {
        return fail(fmt::format("'{}' answered no JSON with seconds", command[0]));
    }
    return answer;
}

Result<UmapRun> run_peer(const UmapBench& bench, atlas::PointsView points, ThreadPool& pool,
                         atlas::Metric metric) {
    const auto scratch = ScratchFolder::make();
    if (!scratch) return tl::unexpected(scratch.error());
    const std::string in = *scratch / "points.npz", out = *scratch / "places.npy";
    std::vector<float> copy(points.values.begin(), points.values.end());
    const auto written =
        nn::write_npz(in, {{"embeddings", {{points.rows(), points.dims}, std::move(copy)}}});
    if (!written) return tl::unexpected(written.error());
    const auto answer = ask_umap_peer({bench.peer, in, out, std::to_string(bench.map.n_neighbors),
                                       fmt::format("{}", bench.map.min_dist), bench.map.metric,
                                       std::to_string(pool.threads())});
    if (!answer) return tl::unexpected(answer.error());
    const auto array = nn::read_npy(out);
    if (!array) return tl::unexpected(array.error());
    const auto* const values = std::get_if<std::vector<float>>(&array->values);
    if (values == nullptr || array->shape != std::vector<std::size_t>{points.rows(), 2}) {
        return fail("the peer's coordinates are not two floats per point");
    }
    std::vector<atlas::Place> places;
    for (std::size_t i = 0; i < values->size(); i += 2) {
        places.push_back({(*values)[i], (*values)[i + 1]});
    }
    return UmapRun{answer->value("name", "peer"), answer->value("seconds", 0.0),
                   answer->value("cpu", 0.0),
                   atlas::map_quality(points, metric, places, 15, bench.judged, pool)};
}

Json run_json(const UmapRun& run) {
    return {{"name", run.name},
            {"seconds", run.seconds},
            {"cpu_seconds", run.cpu},
            {"trustworthiness", run.quality.trustworthiness},
            {"neighbour_recall", run.quality.recall}};
}

void print_run(const UmapRun& run, Console& console) {
    console.print(
        "{:<18} {:8.2f} s  {:8.2f} s CPU   trustworthiness {:.4f}   recall at 15 {:.4f}\n",
        run.name, run.seconds, run.cpu, run.quality.trustworthiness, run.quality.recall);
}

struct Placement {
    double microseconds = 0;  // CPU, per point
};

// Points that the map has, moved a little, so that they are new to it.
Placement time_placement(const atlas::Map& map) {
    const std::size_t count = std::min<std::size_t>(1000, map.data().rows());
    Rng rng(Seed{1});
    const double seconds = seconds_of([&] {
        for (std::size_t i = 0; i < count; ++i) {
            const auto row = map.data().view().row(i * map.data().rows() / count);
            std::vector<float> z(row.begin(), row.end());
            for (float& value : z) value += static_cast<float>(0.02 * (rng.unit() - 0.5));
            (void)map.place(z);
        }
    });
    return {1e6 * seconds / static_cast<double>(count)};
}

void report(const UmapBench& bench, const UmapRun& ours, const std::optional<UmapRun>& peer,
            std::size_t points, double index_recall, const Placement& placement, Console& console) {
    if (bench.json) {
        Json json{{"points", points},
                  {"index_recall", index_recall},
                  {"placement_microseconds", placement.microseconds},
                  {"peak_gigabytes", peak_gigabytes()},
                  {"ours", run_json(ours)}};
        if (peer) {
            json["peer"] = run_json(*peer);
            json["speed_ratio"] = peer->seconds / ours.seconds;
            json["cpu_ratio"] = peer->cpu / ours.cpu;
        }
        return print_json(console, json);
    }
    console.print("{} points, neighbours found {:.4f}, {:.2f} GB at most, {:.0f} us to place one\n",
                  points, index_recall, peak_gigabytes(), placement.microseconds);
    print_run(ours, console);
    if (!peer) return;
    print_run(*peer, console);
    console.print("{:.1f} times as fast ({:.1f} by CPU time)\n", peer->seconds / ours.seconds,
                  peer->cpu / ours.cpu);
}

ExitCode run_umap_bench(const UmapBench& bench, Console& console) {
    const auto model = open_space(bench.space);
    if (!model) return console.error(model.error());
    const auto request = map_request(bench.map);
    if (!request) return console.error(request.error());
    StageProgress progress(console);
    const analysis::Listener listener = progress.listener();
    ThreadPool pool(static_cast<std::size_t>(bench.space.threads));
    const auto sample =
        analysis::sample_positions(request->input, request->count, request->seed, *model, listener);
    if (!sample) return report_failure(console, sample.error());
    std::vector<float> z = model->embed(sample->positions, pool);
    const auto start = BenchClock::now();
    const double cpu = process_cpu_seconds();
    auto data = atlas::make_map(atlas::MapKind::Umap, z, model->dims(), request->umap, {}, pool,
                                listener.watch());
    if (!data) return report_failure(console, data.error());
    UmapRun ours{"solis", wall_since(start), process_cpu_seconds() - cpu, {}};
    const atlas::PointsView points{z, model->dims()};
    ours.quality =
        atlas::map_quality(points, request->umap.metric, data->places, 15, bench.judged, pool);
    atlas::Neighbours neighbours{data->neighbour_count, data->neighbours, {}};
    const double index_recall =
        atlas::neighbour_recall(points, request->umap.metric, neighbours, bench.judged / 2, pool);
    const Placement placement = time_placement(atlas::Map(std::move(*data), pool));
    std::optional<UmapRun> peer;
    if (!bench.peer.empty()) {
        auto run = run_peer(bench, points, pool, request->umap.metric);
        if (!run) return console.error(run.error());
        peer = std::move(*run);
    }
    report(bench, ours, peer, points.rows(), index_recall, placement, console);
    return ExitCode::Ok;
}

}  // namespace

void add_bench_umap(Command& parent, Session& session) {
    const auto options = std::make_shared<UmapBench>();
    Command* command = parent.add_subcommand("umap", "our UMAP beside umap-learn");
    command->add_option("input", options->map.input,
                        "store, PGN, FEN list or any dataset (default: generated games)");
    command->add_option("--peer", options->peer, "program to compare with (scripts/umap-peer)");
    command->add_option("--judged", options->judged, "points on which maps are judged")
        ->range(10, 1'000'000)
        ->capture_default_str();
    add_map_options(*command, options->map);
    add_space_options(*command, options->space);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_umap_bench(*options, session.console); });
}

}  // namespace solis::cli
