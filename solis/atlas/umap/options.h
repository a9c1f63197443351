// Options of UMAP, named as in umap-learn.
#pragma once
#include <cstddef>

#include "solis/atlas/points.h"
#include "solis/base/rng.h"

namespace solis::atlas {

enum class Start { Pca, Spectral };

struct UmapOptions {
    std::size_t n_neighbors = 15;  // the point itself included, as in umap-learn
    double min_dist = 0.1;         // how close together points may lie
    double spread = 1.0;           // the scale on which min_dist is meant
    Metric metric = Metric::Cosine;
    std::size_t n_epochs = 0;  // 0: 500 up to 10,000 points, 200 above
    double learning_rate = 1.0;
    std::size_t negative_sample_rate = 5;
    Start start = Start::Pca;
    Seed seed{42};
    std::size_t exact_limit = 100'000;  // more points than this are searched by HNSW

    friend bool operator==(const UmapOptions& a, const UmapOptions& b) {
        return a.n_neighbors == b.n_neighbors && a.min_dist == b.min_dist && a.spread == b.spread &&
               a.metric == b.metric && a.n_epochs == b.n_epochs &&
               a.learning_rate == b.learning_rate &&
               a.negative_sample_rate == b.negative_sample_rate && a.start == b.start &&
               a.seed.value == b.seed.value && a.exact_limit == b.exact_limit;
    }
};

// The error names the option and the values it may have.
[[nodiscard]] Result<void> check_options(const UmapOptions& options);
[[nodiscard]] std::size_t epochs_for(const UmapOptions& options, std::size_t points);

}  // namespace solis::atlas
