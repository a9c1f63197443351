// Neighbours by hnswlib, and what share of the true ones such a search finds.
#include <algorithm>
#include <exception>
#include <memory>

#include <fmt/format.h>
#include <hnswlib/hnswlib.h>

#include "solis/atlas/neighbours/neighbours.h"
#include "solis/nn/kernels/neighbour_kernels.h"

namespace solis::atlas {
namespace {

// hnswlib's distances are fixed when it is compiled; ours are chosen for the machine at run time.
class KernelSpace final : public hnswlib::SpaceInterface<float> {
  public:
    explicit KernelSpace(std::size_t dims) : dims_(dims) {}
    std::size_t get_data_size() override { return dims_ * sizeof(float); }
    hnswlib::DISTFUNC<float> get_dist_func() override { return &distance; }
    void* get_dist_func_param() override { return &dims_; }

  private:
    static float distance(const void* a, const void* b, const void* dims) {
        const std::size_t count = *static_cast<const std::size_t*>(dims);
        return nn::squared_distance({static_cast<const float*>(a), count},
                                    {static_cast<const float*>(b), count});
    }
    std::size_t dims_;
};

using Graph = hnswlib::HierarchicalNSW<float>;
using Found = std::pair<float, hnswlib::labeltype>;

struct Shards {
    std::vector<float> rows;
    std::size_t dims;
    KernelSpace space;
    std::vector<std::unique_ptr<Graph>> graphs;

    Shards(std::vector<float> prepared, std::size_t width)
        : rows(std::move(prepared)), dims(width), space(width) {}
    [[nodiscard]] const float* row(std::size_t i) const { return rows.data() + i * dims; }
};

constexpr std::size_t kBuildStep = 2000;  // points between two looks at the watch
constexpr std::size_t kQueryStep = 500;

// All graphs grow by the same number of points per round, one thread to a graph.
Result<void> build(Shards& shards, std::size_t count, const HnswOptions& options, ThreadPool& pool,
                   const Watch& watch) {
    const std::size_t shard_count = (count + options.shard - 1) / options.shard;
    const std::size_t shard = (count + shard_count - 1) / shard_count;
    for (std::size_t s = 0; s < shard_count; ++s) {
        shards.graphs.push_back(std::make_unique<Graph>(
            &shards.space, shard, options.links, options.build_effort, options.seed.value + s));
        shards.graphs.back()->setEf(options.search_effort);
    }
    for (std::size_t done = 0; done < shard; done += kBuildStep) {
        const double share = static_cast<double>(done) / static_cast<double>(shard);
        if (auto ok = report_to(watch, "index", share); !ok) return ok;
        pool.run(shard_count, [&](std::size_t s) {
            const std::size_t first = s * shard + done;
            const std::size_t last = std::min({first + kBuildStep, (s + 1) * shard, count});
            for (std::size_t i = first; i < last; ++i) {
                shards.graphs[s]->addPoint(shards.row(i), i);
            }
        });
    }
    return {};
}

void ask(const Shards& shards, std::size_t i, Metric metric, Neighbours& out) {
    std::vector<Found> all;
    for (const auto& graph : shards.graphs) {
        auto near = graph->searchKnn(shards.row(i), out.count + 1);
        for (; !near.empty(); near.pop()) {
            if (near.top().second != i) all.push_back(near.top());
        }
    }
    std::ranges::sort(all);
    for (std::size_t n = 0; n < out.count; ++n) {
        // A search that finds too few, which duplicates in great number can bring about, repeats
        // the last one it found.
        const Found& found = all[std::min(n, all.size() - 1)];
        out.index[i * out.count + n] = static_cast<std::uint32_t>(found.second);
        out.distance[i * out.count + n] = distance_of(found.first, metric);
    }
}

Result<Neighbours> search_graphs(PointsView points, Metric metric, std::size_t count,
                                 const HnswOptions& options, ThreadPool& pool, const Watch& watch) {
    const std::size_t rows = points.rows();
    Shards shards(prepared_rows(points, metric), points.dims);
    if (auto ok = build(shards, rows, options, pool, watch); !ok) return tl::unexpected(ok.error());
    Neighbours found{count, std::vector<std::uint32_t>(rows * count),
                     std::vector<float>(rows * count)};
    const std::size_t steps = (rows + kQueryStep - 1) / kQueryStep, at_once = 64;
    for (std::size_t done = 0; done < steps; done += at_once) {
        const double share = static_cast<double>(done) / static_cast<double>(steps);
        if (auto ok = report_to(watch, "neighbours", share); !ok) return tl::unexpected(ok.error());
        pool.run(std::min(at_once, steps - done), [&](std::size_t step) {
            const std::size_t first = (done + step) * kQueryStep;
            for (std::size_t i = first; i < std::min(first + kQueryStep, rows); ++i) {
                ask(shards, i, metric, found);
            }
        });
    }
    return found;
}

}  // namespace

Result<Neighbours> hnsw_neighbours(PointsView points, Metric metric, std::size_t count,
                                   const HnswOptions& options, ThreadPool& pool,
                                   const Watch& watch) {
    count = std::min(count, points.rows() - 1);
    if (count == 0) return Neighbours{};
    try {
        return search_graphs(points, metric, count, options, pool, watch);
    } catch (const std::exception& error) {
        return fail(
            fmt::format("the index of {} points cannot be built: {}", points.rows(), error.what()));
    }
}

double neighbour_recall(PointsView points, Metric metric, const Neighbours& found,
                        std::size_t sample, ThreadPool& pool) {
    const std::size_t rows = points.rows();
    if (found.count == 0 || sample == 0) return 1;
    sample = std::min(sample, rows);
    const std::vector<float> prepared = prepared_rows(points, metric);
    const auto row = [&](std::size_t i) {
        return std::span(prepared).subspan(i * points.dims, points.dims);
    };
    std::vector<double> shares(sample);
    pool.run(sample, [&](std::size_t s) {
        const std::size_t i = s * rows / sample;
        std::vector<float> distances;
        distances.reserve(rows);
        for (std::size_t j = 0; j < rows; ++j) {
            if (j != i) distances.push_back(nn::squared_distance(row(i), row(j)));
        }
        // Equal distances are equally good: a neighbour counts if it is no farther than the last
        // true one.
        std::ranges::nth_element(distances, distances.begin() + (found.count - 1));
        const float last = distances[found.count - 1];
        std::vector<std::uint32_t> distinct(found.indices(i).begin(), found.indices(i).end());
        std::ranges::sort(distinct);
        distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
        const auto hits = std::ranges::count_if(distinct, [&](std::uint32_t j) {
            return nn::squared_distance(row(i), row(j)) <= last;
        });
        shares[s] = static_cast<double>(hits) / static_cast<double>(found.count);
    });
    double sum = 0;
    for (const double share : shares) sum += share;
    return sum / static_cast<double>(sample);
}

}  // namespace solis::atlas
