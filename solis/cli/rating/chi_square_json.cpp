// A chi-square test as JSON.
#include "solis/cli/rating/chi_square_json.h"

#include <nlohmann/json.hpp>

namespace solis::cli {

nlohmann::ordered_json chi_square_json(const lab::ChiSquare& chi) {
    return {{"value", chi.value},
            {"df", chi.df},
            {"p", chi.p()},
            {"simulated", chi.simulated_p.has_value()}};
}

}  // namespace solis::cli
