// What the options stand for: the model, the planner that uses it, tablebases and opening book.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/chess/book.h"
#include "solis/chess/tablebase.h"
#include "solis/engine/uci/engine_options.h"
#include "solis/model/evaluator.h"
#include "solis/planner/plan.h"

namespace solis::engine {

class Player {
  public:
    // The seed is that of book moves and of the mistakes of a limited strength. Without a model
    // the embedded one is loaded when it is needed.
    explicit Player(Seed seed, std::shared_ptr<const model::LoadedModel> model = nullptr)
        : rng_(seed), model_(std::move(model)) {}

    // Makes everything fit the options. What fails is left as it was, or closed where the old one
    // is no longer wanted; each failure is one error. A hash that does not fit into memory is
    // refused.
    [[nodiscard]] std::vector<Error> apply(const EngineOptions& options);
    // The options in force.
    [[nodiscard]] const EngineOptions& options() const { return options_; }

    // Loads the model on the first call; the embedded one cannot fail. Fails where an encoder that
    // runs as a process has failed.
    [[nodiscard]] Result<std::shared_ptr<const model::LoadedModel>> model();
    // The same; valid until the next apply().
    [[nodiscard]] Result<planner::Planner*> planner();

    // Forgets the last game.
    void new_game();
    // None without a book or where it knows no move.
    [[nodiscard]] std::optional<chess::Move> book_move(const chess::Position& position);

  private:
    [[nodiscard]] Result<void> check_hash(int megabytes, int present) const;
    [[nodiscard]] Result<void> load(const EngineOptions& options);
    [[nodiscard]] Result<void> open_tablebase(const std::string& path);
    [[nodiscard]] Result<void> open_book(const std::string& path);
    [[nodiscard]] planner::Settings settings() const;

    Rng rng_;
    EngineOptions options_;
    std::uint64_t game_seed_ = 0;
    std::shared_ptr<const model::LoadedModel> model_;
    std::unique_ptr<planner::Planner> planner_;
    std::optional<chess::Tablebase> tablebase_;
    std::optional<chess::OpeningBook> book_;
};

}  // namespace solis::engine
