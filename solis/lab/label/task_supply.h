// Where the games to be labelled come from, in batches that an engine works on together.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "solis/base/result.h"
#include "solis/base/rng.h"
#include "solis/data/game_source.h"
#include "solis/lab/label/label_task.h"

namespace solis::lab {

// Game n is always in batch n / batch size, so the labels do not depend on where a run was
// interrupted.
class TaskSupply {
  public:
    virtual ~TaskSupply() = default;
    // The next batch; empty at the end.
    [[nodiscard]] virtual Result<std::vector<LabelTask>> next_batch() = 0;
};

struct SupplyOptions {
    Seed seed{1};
    std::size_t batch_size = 16;
    // The first game of the first batch; a multiple of the batch size.
    std::uint64_t first_game = 0;
    // No game from this number on; 0: no end.
    std::uint64_t end_game = 0;
};

[[nodiscard]] std::unique_ptr<TaskSupply> make_self_play_supply(const SelfPlayOptions& play,
                                                                const LabelOptions& labels,
                                                                const SupplyOptions& options);
// The games of a source, which must outlive the supply. Those that cannot be labelled are skipped
// and do not count: longer than a store takes, or in need of Chess960 castling unless `chess960`.
[[nodiscard]] std::unique_ptr<TaskSupply> make_list_supply(data::GameSource& source, bool chess960,
                                                           const LabelOptions& labels,
                                                           const SupplyOptions& options);

}  // namespace solis::lab
