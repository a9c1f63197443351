// Local scales and the union of what points make of each other.
#include "solis/atlas/umap/fuzzy_set.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace solis::atlas {
namespace {

constexpr std::size_t kRowsPerTask = 4096;

template <class Task>
void for_rows(std::size_t rows, ThreadPool& pool, Task&& task) {
    pool.run((rows + kRowsPerTask - 1) / kRowsPerTask, [&](std::size_t block) {
        const std::size_t end = std::min(rows, (block + 1) * kRowsPerTask);
        for (std::size_t i = block * kRowsPerTask; i < end; ++i) task(i);
    });
}

struct Entry {
    std::uint32_t column;
    float forward;   // what the row makes of the column
    float backward;  // and the other way round
};

// What every point makes of its neighbours, and by whom it is seen.
struct Views {
    std::vector<float> strength;          // rows x count
    std::vector<std::size_t> seen_begin;  // rows + 1
    std::vector<std::size_t> seen;        // positions in `strength`, in order, by the point seen
};

Views views_of(const Neighbours& neighbours, std::size_t rows, ThreadPool& pool) {
    Views views;
    const double mean = mean_of(neighbours.distance);
    views.strength.resize(rows * neighbours.count);
    for_rows(rows, pool, [&](std::size_t i) {
        const LocalScale scale = local_scale(neighbours.distances(i), mean);
        for (std::size_t n = 0; n < neighbours.count; ++n) {
            views.strength[i * neighbours.count + n] =
                membership(neighbours.distances(i)[n], scale);
        }
    });
    views.seen_begin.resize(rows + 1);
    for (const std::uint32_t j : neighbours.index) ++views.seen_begin[j + 1];
    for (std::size_t i = 0; i < rows; ++i) views.seen_begin[i + 1] += views.seen_begin[i];
    views.seen.resize(neighbours.index.size());
    std::vector<std::size_t> next(views.seen_begin.begin(), views.seen_begin.end() - 1);
    for (std::size_t at = 0; at < neighbours.index.size(); ++at) {
        views.seen[next[neighbours.index[at]]++] = at;
    }
    return views;
}

// The entries of a row, one per column.
void collect_row(const Neighbours& neighbours, const Views& views, std::size_t i,
                 std::vector<Entry>& row) {
    row.clear();
    for (std::size_t n = 0; n < neighbours.count; ++n) {
        row.push_back({neighbours.indices(i)[n], views.strength[i * neighbours.count + n], 0});
    }
    for (std::size_t s = views.seen_begin[i]; s < views.seen_begin[i + 1]; ++s) {
        const auto by = static_cast<std::uint32_t>(views.seen[s] / neighbours.count);
        row.push_back({by, 0, views.strength[views.seen[s]]});
    }
    std::ranges::sort(row, {}, &Entry::column);
    std::size_t kept = 0;
    for (const Entry& entry : row) {
        if (kept > 0 && row[kept - 1].column == entry.column) {
            row[kept - 1].forward = std::max(row[kept - 1].forward, entry.forward);
            row[kept - 1].backward = std::max(row[kept - 1].backward, entry.backward);
        } else {
            row[kept++] = entry;
        }
    }
    row.resize(kept);
    std::erase_if(row, [](const Entry& e) { return !(e.forward > 0 || e.backward > 0); });
}

// The width at which the memberships of distances beyond `rho` sum to `target`, by bisection.
double width_for(std::span<const float> distances, double rho, double target) {
    double low = 0, high = INFINITY, width = 1;
    for (int round = 0; round < 64; ++round) {
        double sum = 0;
        for (const float d : distances) {
            const double beyond = static_cast<double>(d) - rho;
            sum += beyond > 0 ? std::exp(-beyond / width) : 1;
        }
        if (std::abs(sum - target) < 1e-5) break;
        (sum > target ? high : low) = width;
        width = std::isinf(high) ? width * 2 : (low + high) / 2;
    }
    return width;
}

}  // namespace

double mean_of(std::span<const float> distances) {
    double sum = 0;
    for (const float d : distances) sum += static_cast<double>(d);
    return distances.empty() ? 0 : sum / static_cast<double>(distances.size());
}

LocalScale local_scale(std::span<const float> distances, double mean) {
    const auto nearest = std::ranges::find_if(distances, [](float d) { return d > 0; });
    const double rho = nearest == distances.end() ? 0 : static_cast<double>(*nearest);
    const double target = std::log2(static_cast<double>(distances.size() + 1));
    // No narrower than a thousandth of the usual distance, or duplicates would have no width.
    const double usual = rho > 0 ? mean_of(distances) : mean;
    return {static_cast<float>(rho),
            static_cast<float>(std::max(width_for(distances, rho, target), 1e-3 * usual))};
}

LocalScale scale_from_zero(std::span<const float> distances) {
    const double target = std::log2(static_cast<double>(distances.size()));
    return {0, static_cast<float>(
                   std::max(width_for(distances, 0, target), 1e-3 * mean_of(distances)))};
}

float membership(float distance, const LocalScale& scale) {
    const float beyond = distance - scale.nearest;
    return beyond <= 0 || scale.width <= 0 ? 1.0f : std::exp(-beyond / scale.width);
}

FuzzySet fuzzy_set(const Neighbours& neighbours, ThreadPool& pool) {
    if (neighbours.count == 0) return {{0, 0}, {}, {}};
    const std::size_t rows = neighbours.index.size() / neighbours.count;
    const Views views = views_of(neighbours, rows, pool);
    FuzzySet set;
    set.begin.resize(rows + 1);
    // Twice over the rows: first their lengths, then their entries, each to its place.
    for_rows(rows, pool, [&](std::size_t i) {
        thread_local std::vector<Entry> row;
        collect_row(neighbours, views, i, row);
        set.begin[i + 1] = row.size();
    });
    for (std::size_t i = 0; i < rows; ++i) set.begin[i + 1] += set.begin[i];
    set.column.resize(set.begin[rows]);
    set.strength.resize(set.begin[rows]);
    for_rows(rows, pool, [&](std::size_t i) {
        thread_local std::vector<Entry> row;
        collect_row(neighbours, views, i, row);
        for (std::size_t n = 0; n < row.size(); ++n) {
            const auto [column, forward, backward] = row[n];
            set.column[set.begin[i] + n] = column;
            set.strength[set.begin[i] + n] = forward + backward - forward * backward;
        }
    });
    return set;
}

}  // namespace solis::atlas
