// What planners know of a model: scores of positions, whatever encoder stands behind them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "solis/base/result.h"
#include "solis/chess/mate_table.h"
#include "solis/chess/position.h"
#include "solis/model/model_file.h"

namespace solis::model {

// Everything is White's view. Finished games are for the rules, not for an encoder. Scores are
// those of the encoder in charge: LoadedModel::has_ending says which one it is. Not thread-safe:
// each thread takes its own from LoadedModel::make_evaluator.
class Evaluator {
  public:
    virtual ~Evaluator() = default;

    // <z, axis> of each child: all of them in one batch, fast when they are one move away from
    // `parent`.
    virtual void score_children(const chess::Position& parent,
                                std::span<const chess::Position> children,
                                std::span<float> scores) = 0;
    // The same for one position.
    [[nodiscard]] virtual float score(const chess::Position& position) = 0;
    // From now on the positions of one call are shared by so many threads, where one call takes
    // long enough; scores stay the same.
    virtual void use_threads(std::size_t) {}
    // The embedding of length 1, of the model's own encoder everywhere.
    virtual void embed(const chess::Position& position, std::span<float> z) = 0;
};

// What planners must know of an encoder besides its scores.
struct EncoderTraits {
    // Whether a score depends on the move counters: if so, positions that differ in them only are
    // not the same to what remembers scores.
    bool reads_counters = false;
    // How many positions take a few milliseconds: who must answer in time scores no more between
    // two looks at the clock.
    std::size_t positions_per_look = SIZE_MAX;
};

// A model ready for use, shared by all threads.
class LoadedModel {
  public:
    virtual ~LoadedModel() = default;

    [[nodiscard]] const ModelFile& file() const { return file_; }
    [[nodiscard]] const AdvantageAxis& axis() const { return *file_.axis; }
    [[nodiscard]] const Calibration& calibration() const { return *file_.calibration; }

    // Whether the model's encoder for endings is in charge of a position: then scores lie on the
    // axis of file().endings.
    [[nodiscard]] bool has_ending(const chess::Position& position) const {
        return file_.endings != nullptr && chess::MateTables::cover(position);
    }

    // The model must outlive it.
    [[nodiscard]] virtual std::unique_ptr<Evaluator> make_evaluator() const = 0;
    [[nodiscard]] virtual EncoderTraits traits() const { return {}; }

  protected:
    // The file has an axis and a calibration.
    explicit LoadedModel(ModelFile file) : file_(std::move(file)) {}

  private:
    ModelFile file_;
};

// Fails where the model has no axis or calibration, or does not fit into integers.
[[nodiscard]] Result<std::shared_ptr<const LoadedModel>> prepare(ModelFile file);

}  // namespace solis::model
