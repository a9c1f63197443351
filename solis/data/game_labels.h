// Labelling games: which positions beside the line are looked at, and by whom.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "solis/base/rng.h"
#include "solis/data/labelled_game.h"

namespace solis::data {

// Which positions off the line are labelled.
struct ChildOptions {
    static constexpr int kAll = -1;

    int per_position = 1;        // random moves not played, or kAll
    double two_ply_share = 0.2;  // of them a random reply is played, too
};

// What the rules say about a position where the game is over; none where it is not.
[[nodiscard]] std::optional<Score> label_by_rules(const chess::Position& position);

struct ChosenChild {
    Branch branch;  // with the score of the rules where the game is over at its end
    chess::Position end;
};
// Children of a position of the line from which `played` (none at its end) went on.
[[nodiscard]] std::vector<ChosenChild> choose_children(const chess::Position& position,
                                                       chess::Move played,
                                                       const ChildOptions& options, Rng& rng);

// Gives verdicts on positions. Not thread-safe: each thread has its own.
class Judge {
  public:
    virtual ~Judge() = default;
    // Of the side to move, where the game is not over. Depends on the position only.
    [[nodiscard]] virtual Score judge(const chess::Position& position) = 0;
};

// Labels positions while they are drawn. Thread-safe.
class Teacher {
  public:
    virtual ~Teacher() = default;
    [[nodiscard]] virtual std::unique_ptr<Judge> make_judge() const = 0;
    // Tells teachers apart whose verdicts differ; not 0.
    [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
};

// What is to be labelled of a game: everything, unless a derived class says otherwise.
class LabelDemand {
  public:
    virtual ~LabelDemand() = default;
    // The position line[ply] itself, and whether it needs children.
    [[nodiscard]] virtual bool wants_position(std::size_t /*ply*/, const chess::Position&) const {
        return true;
    }
    [[nodiscard]] virtual bool wants_children(std::size_t /*ply*/) const { return true; }
    [[nodiscard]] virtual bool wants_child(const chess::Position&) const { return true; }
};

// Replaces all labels and branches of a game. The seed decides which children it gets; a labelling
// run (lab/label/label_task.h) with the same seed and verdicts makes the same game.
void label_game(LabelledGame& game, const ChildOptions& options, Seed seed, Judge& judge,
                const LabelDemand& demand = {});

}  // namespace solis::data
