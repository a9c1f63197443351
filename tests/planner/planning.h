// What tests of plans share: a task without clock or audience, and the model inside the binary.
#pragma once
#include <memory>
#include <string_view>

#include "solis/chess/fen.h"
#include "solis/chess/game.h"
#include "solis/model/open.h"
#include "solis/planner/root.h"
#include "solis/planner/task.h"

namespace solis::planner {

class Silence final : public Observer {
    void on_info(const Info&) override {}
};

// A task together with everything it refers to.
class TaskOf {
  public:
    TaskOf(const model::LoadedModel& model, const chess::Game& game, const Settings& settings,
           const Limits& limits = {})
        : game_(game),
          settings_(settings),
          limits_(limits),
          scale_(model, settings.scoring),
          time_(limits_, game.position().side_to_move(), settings.move_overhead),
          task_{game_,    limits_,  settings_,
                model,    scale_,   time_,
                silence_, signals_, moves_of(game_.position())} {}

    [[nodiscard]] const Task& operator*() const { return task_; }
    [[nodiscard]] Signals& signals() { return signals_; }

  private:
    [[nodiscard]] std::vector<chess::Move> moves_of(const chess::Position& root) const {
        return root_moves(root, limits_.search_moves, settings_.tablebase, scale_).moves;
    }

    chess::Game game_;
    Settings settings_;
    Limits limits_;
    ValueScale scale_;
    TimeControl time_;
    Silence silence_;
    Signals signals_;
    Task task_;
};

inline std::shared_ptr<const model::LoadedModel> default_model() {
    static const auto model = *model::open("");
    return model;
}

inline chess::Game game_at(std::string_view fen) { return chess::Game(*chess::parse_fen(fen)); }

}  // namespace solis::planner
