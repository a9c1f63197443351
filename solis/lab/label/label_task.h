// One game on its way to being labelled: says which positions to search and takes the verdicts.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/chess/game.h"
#include "solis/data/game_labels.h"
#include "solis/data/labelled_game.h"
#include "solis/engine/client/uci_client.h"

namespace solis::lab {

using data::ChildOptions;

struct SelfPlayOptions {
    int min_opening_plies = 2;  // random moves before the engine plays
    int max_opening_plies = 9;
    // Share of random moves later on; each game draws one of these.
    std::vector<double> noise{0.0, 0.03, 0.10, 0.25};
    int max_plies = 300;
    // The game is decided when the score stays beyond this for so many plies.
    int decided_centipawns = 1500;
    int decided_plies = 8;
};

struct LabelOptions {
    planner::Limits limits{.nodes = 120};
    double second_share = 0;  // of the positions of the line
    planner::Limits second_limits{.nodes = 1500};
    // Given games keep their labels and branches, and only get second looks.
    bool again = false;
    ChildOptions children;
};

// What is asked of the engine.
struct SearchRequest {
    enum class Purpose : std::uint8_t { Line, SecondLook, Branch };

    chess::Position position;
    Purpose purpose;
    std::uint32_t index;  // in the line or in the branches
};

// The verdict of UCI text as a label. Stockfish's centipawns are stored as it reports them.
[[nodiscard]] data::Score to_label(const std::optional<engine::UciScore>& score);

// Finished games are labelled by the rules, everything else by the engine. The outcome depends on
// the constructor's arguments and the verdicts only, not on when verdicts come.
class LabelTask {
  public:
    // The engine plays itself from a random opening.
    LabelTask(const SelfPlayOptions& play, const LabelOptions& options, Seed seed);
    // The line is given; its scores and branches are replaced, unless it is looked at again.
    LabelTask(const data::LabelledGame& given, const LabelOptions& options, Seed seed);

    // Searches to be made, oldest first. The position of the line that the next move depends on
    // comes before the branches.
    [[nodiscard]] std::deque<SearchRequest>& requests() { return requests_; }
    // The answer to one of them. Fails if the engine's move is illegal.
    [[nodiscard]] Result<void> answer(const SearchRequest& request,
                                      const engine::SearchReport& report);
    // The same with a legal move, which self-play needs and others ignore.
    void answer(const SearchRequest& request, data::Score score, chess::Move best);
    // Every search has been answered, and no answer asks for another.
    [[nodiscard]] bool done() const { return unanswered_ == 0; }
    [[nodiscard]] data::LabelledGame take() && { return std::move(labelled_); }
    [[nodiscard]] std::uint64_t searches() const { return searches_; }

  private:
    void look_again(const data::LabelledGame& given);
    void play_random_opening();
    void push(chess::Move move);
    // Labels the current position by the rules or asks for it; ends the game where it is over.
    void enter_position();
    // None where the game ends here.
    [[nodiscard]] chess::Move next_move(chess::Move engine_move);
    [[nodiscard]] chess::Move next_given_move() const;
    void end_game();
    void plan_branches(const chess::Position& position, std::size_t ply, chess::Move played);
    void watch_for_decision(data::Score score);
    void ask(const chess::Position& position, SearchRequest::Purpose purpose, std::size_t index);

    LabelOptions options_;
    std::optional<SelfPlayOptions> play_;  // none: the line is given
    std::vector<chess::Move> given_;
    Rng rng_;
    double noise_ = 0;
    chess::Game game_;
    data::LabelledGame labelled_;
    int decided_plies_ = 0;  // how long the score has been decisive; negative: Black is winning
    std::deque<SearchRequest> requests_;
    std::size_t unanswered_ = 0;  // requests_ included
    std::uint64_t searches_ = 0;
};

}  // namespace solis::lab
