// A model as the atlas sees it: embeddings of positions, the axis, and a hash that tells models
// apart.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/base/thread_pool.h"
#include "solis/chess/position.h"
#include "solis/model/evaluator.h"

namespace solis::analysis {

class SpaceModel {
  public:
    // The model in `path`, or the embedded one where the path is empty.
    [[nodiscard]] static Result<SpaceModel> open(const std::string& path);

    // One that is loaded already; `file` are the bytes it was read from.
    [[nodiscard]] static Result<SpaceModel> of(std::shared_ptr<const model::LoadedModel> loaded,
                                               std::string_view file, std::string name);

    // The default model's network with weights drawn anew: what training is compared with. Its axis
    // and calibration are still the default's and say nothing.
    [[nodiscard]] static Result<SpaceModel> untrained(Seed seed);

    // 16 hexadecimal digits, of the bytes of the model's file.
    [[nodiscard]] const std::string& hash() const { return hash_; }
    // "default" or the name of the file.
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const model::LoadedModel& model() const { return *model_; }
    [[nodiscard]] const model::AdvantageAxis& axis() const { return model_->axis(); }
    [[nodiscard]] std::size_t dims() const { return model_->dims(); }

    // positions x dims, White's view, of the model's own encoder everywhere. The same for any
    // number of threads.
    [[nodiscard]] std::vector<float> embed(std::span<const chess::Position> positions,
                                           ThreadPool& pool) const;
    // White's win probability at an embedding of the position, by the model's own encoder.
    [[nodiscard]] double win_probability(std::span<const float> z,
                                         const chess::Position& position) const;
    // The same of many, as the engine sees them: by the encoder in charge of the position, and by
    // the rules where the game is over. z: positions x dims.
    [[nodiscard]] std::vector<double> win_probabilities(std::span<const float> z,
                                                        std::span<const chess::Position> positions,
                                                        ThreadPool& pool) const;

  private:
    SpaceModel(std::shared_ptr<const model::LoadedModel> loaded, std::string hash, std::string name)
        : model_(std::move(loaded)), hash_(std::move(hash)), name_(std::move(name)) {}

    std::shared_ptr<const model::LoadedModel> model_;
    std::string hash_;
    std::string name_;
};

}  // namespace solis::analysis
