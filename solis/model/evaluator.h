// The seam between encoders and everything else: scores and embeddings of positions, and what the
// scores mean, whatever encoder stands behind them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "solis/chess/mate_table.h"
#include "solis/chess/position.h"
#include "solis/model/readout.h"

namespace solis::model {

// Scores and embeddings are White's view. Finished games are for the rules, not for an encoder.
// Scores are those of the encoder in charge: LoadedModel::has_ending says which one it is. Not
// thread-safe: each thread takes its own from LoadedModel::make_evaluator.
class Evaluator {
  public:
    virtual ~Evaluator() = default;

    // <z, axis> of each child: all of them in one batch, fast when they are one move away from
    // `parent`.
    virtual void score_children(const chess::Position& parent,
                                std::span<const chess::Position> children,
                                std::span<float> scores) = 0;
    // The same for any positions.
    virtual void score(std::span<const chess::Position> positions, std::span<float> scores) = 0;
    // Embeddings of length 1, of the model's own encoder everywhere. z: positions x dims.
    virtual void embed(std::span<const chess::Position> positions, std::span<float> z) = 0;
    // From now on the positions of one call are shared by so many threads, where one call takes
    // long enough; results stay the same.
    virtual void use_threads(std::size_t) {}

    // The same for one position.
    [[nodiscard]] float score(const chess::Position& position) {
        float value = 0;
        score({&position, 1}, {&value, 1});
        return value;
    }
    void embed(const chess::Position& position, std::span<float> z) { embed({&position, 1}, z); }
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

// A model ready for use, shared by all threads: model::open makes it (solis/model/open.h).
class LoadedModel {
  public:
    virtual ~LoadedModel() = default;

    // Of the model's own encoder.
    [[nodiscard]] const Readout& readout() const { return readout_; }
    [[nodiscard]] const AdvantageAxis& axis() const { return readout_.axis(); }
    [[nodiscard]] std::size_t dims() const { return axis().dims(); }
    [[nodiscard]] const Calibration& calibration() const { return readout_.calibration(); }

    // Whether there is a second encoder, for endings.
    [[nodiscard]] bool has_endings() const { return endings_.has_value(); }
    // Whether it is in charge of a position: then scores lie on its own axis.
    [[nodiscard]] bool has_ending(const chess::Position& position) const {
        return endings_ && chess::MateTables::cover(position);
    }

    // White's win probability at a score that an evaluator gave `position`.
    [[nodiscard]] double win_probability(float score, const chess::Position& position) const {
        return (has_ending(position) ? *endings_ : readout_)
            .win_probability(static_cast<double>(score), position.side_to_move());
    }
    // The same score for the side to move, on one scale for both sides and both encoders:
    // Readout::centred_score of the model's own encoder. Endings are put on it by their win
    // probability, and how near the mate is adds to it; so a win there is better than anything
    // the other encoder can say, and a draw is a draw.
    [[nodiscard]] float centred_score(float score, const chess::Position& position) const {
        return has_ending(position) ? centred_ending_score(score, position.side_to_move())
                                    : readout_.centred_score(score, position.side_to_move());
    }

    // The model must outlive it.
    [[nodiscard]] virtual std::unique_ptr<Evaluator> make_evaluator() const = 0;
    [[nodiscard]] virtual EncoderTraits traits() const { return {}; }
    // Whether its evaluators embed. A teacher's net only scores: its axis is the score itself.
    [[nodiscard]] virtual bool embeds() const { return true; }
    // Whether the encoder has failed for good, and why: what evaluators gave since then means
    // nothing. Only encoders that are not ours can fail (solis/model/custom_encoder.h).
    [[nodiscard]] virtual bool has_failed() const { return false; }
    [[nodiscard]] virtual Result<void> status() const { return {}; }

  protected:
    explicit LoadedModel(Readout readout, std::optional<Readout> endings = std::nullopt)
        : readout_(std::move(readout)), endings_(std::move(endings)) {}
    // What a model says about scores is copied; evaluators are made by the class that derives.
    LoadedModel(const LoadedModel&) = default;

  private:
    [[nodiscard]] float centred_ending_score(float score, chess::Color mover) const;

    Readout readout_;
    std::optional<Readout> endings_;
};

}  // namespace solis::model
