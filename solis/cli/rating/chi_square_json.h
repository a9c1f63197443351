// A chi-square test as every command shows it.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "solis/lab/rating/ladder_fit.h"

namespace solis::cli {

[[nodiscard]] nlohmann::ordered_json chi_square_json(const lab::ChiSquare& chi);

}  // namespace solis::cli
