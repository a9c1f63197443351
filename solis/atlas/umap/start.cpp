// Principal components and spectral starts.
#include "solis/atlas/umap/start.h"

#include <algorithm>
#include <cmath>

#include "solis/atlas/pca.h"

namespace solis::atlas {
namespace {

constexpr float kHalfWidth = 10;  // of the start, as in umap-learn

// Rounds of smoothing over the graph. The start needs no exact eigenvectors: what is left of other
// ones is smooth, too.
constexpr int kSmoothings = 150;

// The lazy random walk on the graph of ties, made symmetric: (1 + D^-1/2 W D^-1/2) / 2, whose
// largest eigenvalue 1 belongs to the roots of the degrees.
class Walk {
  public:
    explicit Walk(const FuzzySet& set) : set_(set), root_(set.begin.size() - 1) {
        for (std::size_t i = 0; i < root_.size(); ++i) {
            double degree = 0;
            for (std::size_t at = set.begin[i]; at < set.begin[i + 1]; ++at) {
                degree += static_cast<double>(set.strength[at]);
            }
            root_[i] = std::sqrt(std::max(degree, 1e-12));
        }
    }

    [[nodiscard]] const std::vector<double>& root_degrees() const { return root_; }

    void smooth(const std::vector<double>& from, std::vector<double>& to, ThreadPool& pool) const {
        constexpr std::size_t kRows = 2048;
        pool.run((from.size() + kRows - 1) / kRows, [&](std::size_t block) {
            const std::size_t end = std::min(from.size(), (block + 1) * kRows);
            for (std::size_t i = block * kRows; i < end; ++i) {
                double sum = 0;
                for (std::size_t at = set_.begin[i]; at < set_.begin[i + 1]; ++at) {
                    const std::size_t j = set_.column[at];
                    sum += static_cast<double>(set_.strength[at]) * from[j] / root_[j];
                }
                to[i] = (from[i] + sum / root_[i]) / 2;
            }
        });
    }

  private:
    const FuzzySet& set_;
    std::vector<double> root_;
};

// Takes the part along `other` out of v; both are as long as there are points.
void make_orthogonal(std::vector<double>& v, const std::vector<double>& other) {
    double part = 0, length = 0;
    for (std::size_t i = 0; i < v.size(); ++i)
        part += v[i] * other[i], length += other[i] * other[i];
    if (length <= 0) return;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] -= part / length * other[i];
}

void scale_to_one(std::vector<double>& v) {
    double length = 0;
    for (const double value : v) length += value * value;
    if (length > 0) {
        for (double& value : v) value /= std::sqrt(length);
    }
}

// Smooths the principal components over the graph until the smoothest functions are left.
std::vector<Place> spectral_places(std::vector<Place> start, const FuzzySet& set,
                                   ThreadPool& pool) {
    const Walk walk(set);
    std::vector<double> x(start.size()), y(start.size()), scratch(start.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
        x[i] = static_cast<double>(start[i].x) * walk.root_degrees()[i];
        y[i] = static_cast<double>(start[i].y) * walk.root_degrees()[i];
    }
    for (int round = 0; round < kSmoothings; ++round) {
        for (std::vector<double>* v : {&x, &y}) {
            walk.smooth(*v, scratch, pool);
            v->swap(scratch);
            make_orthogonal(*v, walk.root_degrees());
        }
        make_orthogonal(y, x);
        scale_to_one(x);
        scale_to_one(y);
    }
    for (std::size_t i = 0; i < start.size(); ++i) {
        start[i] = {static_cast<float>(x[i] / walk.root_degrees()[i]),
                    static_cast<float>(y[i] / walk.root_degrees()[i])};
    }
    return start;
}

// To +-kHalfWidth along the longer side; points that all coincide are spread at random.
void fill_square(std::vector<Place>& places, Seed seed) {
    Place low = places[0], high = places[0];
    for (const Place& place : places) {
        low = {std::min(low.x, place.x), std::min(low.y, place.y)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    const float extent = std::max(high.x - low.x, high.y - low.y);
    const bool flat = !(extent > 1e-12f) || !std::isfinite(extent);
    const float scale = flat ? 0 : 2 * kHalfWidth / extent;
    const float noise = flat ? kHalfWidth : 1e-3f;
    Rng rng(seed);
    for (Place& place : places) {
        const auto random = [&] { return noise * static_cast<float>(2 * rng.unit() - 1); };
        place.x = (place.x - (low.x + high.x) / 2) * scale + random();
        place.y = (place.y - (low.y + high.y) / 2) * scale + random();
    }
}

}  // namespace

std::vector<Place> starting_places(PointsView points, const FuzzySet& set,
                                   const UmapOptions& options, ThreadPool& pool) {
    std::vector<Place> places = project(points, pca_projection(points, pool), pool);
    if (options.start == Start::Spectral && !set.column.empty()) {
        places = spectral_places(std::move(places), set, pool);
    }
    fill_square(places, options.seed);
    return places;
}

}  // namespace solis::atlas
