// Opening a model for the atlas.
#include "solis/analysis/space/space_model.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "solis/atlas/file/sealed_file.h"
#include "solis/base/byte_source.h"
#include "solis/chess/rules.h"
#include "solis/model/embedded_model.h"
#include "solis/model/model_file.h"
#include "solis/model/open.h"

namespace solis::analysis {

Result<SpaceModel> SpaceModel::open(const std::string& path) {
    std::string bytes;
    if (path.empty()) {
        bytes = model::embedded_model_bytes();
    } else {
        auto file = read_file(path);
        if (!file) return tl::unexpected(file.error());
        bytes = std::move(*file);
    }
    auto loaded = model::open(path);
    if (!loaded) return tl::unexpected(loaded.error());
    return of(std::move(*loaded), bytes,
              path.empty() ? "default" : std::filesystem::path(path).stem().string());
}

Result<SpaceModel> SpaceModel::of(std::shared_ptr<const model::LoadedModel> loaded,
                                  std::string_view file, std::string name) {
    if (!loaded->embeds()) return fail(fmt::format("'{}' scores positions, it has no space", name));
    return SpaceModel(std::move(loaded), atlas::hash_text(file), std::move(name));
}

Result<SpaceModel> SpaceModel::untrained(Seed seed) {
    auto file = model::load_model_or_default("");
    if (!file) return tl::unexpected(file.error());
    auto* const swift = std::get_if<model::SwiftEncoder>(&file->encoder);
    if (swift == nullptr) return fail("the default model is no swift network");
    Rng rng(seed);
    swift->weights.randomize(rng);
    file->endings = nullptr;
    auto loaded = model::prepare(std::move(*file));
    if (!loaded) return tl::unexpected(loaded.error());
    return SpaceModel(std::move(*loaded), "untrained", "untrained");
}

std::vector<float> SpaceModel::embed(std::span<const chess::Position> positions,
                                     ThreadPool& pool) const {
    constexpr std::size_t kBlock = 512;
    std::vector<float> z(positions.size() * dims());
    pool.run((positions.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
        const auto evaluator = model_->make_evaluator();
        const std::size_t end = std::min(positions.size(), (block + 1) * kBlock);
        const std::size_t first = block * kBlock;
        evaluator->embed(positions.subspan(first, end - first),
                         std::span(z).subspan(first * dims(), (end - first) * dims()));
    });
    return z;
}

double SpaceModel::win_probability(std::span<const float> z,
                                   const chess::Position& position) const {
    return model_->readout().win_probability(static_cast<double>(axis().score(z)),
                                             position.side_to_move());
}

std::vector<double> SpaceModel::win_probabilities(std::span<const float> z,
                                                  std::span<const chess::Position> positions,
                                                  ThreadPool& pool) const {
    constexpr std::size_t kBlock = 512;
    std::vector<double> p(positions.size());
    pool.run((positions.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
        std::unique_ptr<model::Evaluator> endings;  // made where there is something for it
        for (std::size_t i = block * kBlock; i < std::min(p.size(), (block + 1) * kBlock); ++i) {
            if (const auto end = chess::outcome(positions[i], chess::Claims::Ignored)) {
                p[i] = !end->winner ? 0.5 : *end->winner == chess::Color::White ? 1 : 0;
            } else if (model_->has_ending(positions[i])) {
                if (!endings) endings = model_->make_evaluator();
                p[i] = model_->win_probability(endings->score(positions[i]), positions[i]);
            } else {
                p[i] = win_probability(z.subspan(i * dims(), dims()), positions[i]);
            }
        }
    });
    return p;
}

}  // namespace solis::analysis
