// Labelled games for benchmarks.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "solis/base/result.h"
#include "solis/data/labelled_game.h"

namespace solis::lab {

// From the store, or random ones where none is named: as many as hold `wanted` positions.
[[nodiscard]] Result<std::vector<data::LabelledGame>> bench_games(const std::string& store,
                                                                  std::size_t wanted);

}  // namespace solis::lab
