// What the paper's own tables say when they are taken seriously.
#pragma once
#include <vector>

#include "solis/base/result.h"
#include "solis/lab/paper/published.h"
#include "solis/lab/rating/ladder_fit.h"

namespace solis::lab {

// One configuration, rated the paper's way: Stockfish's caps are taken for true ratings.
struct AuditedColumn {
    const PaperColumn* column = nullptr;
    double elo = 0;
    double error = 0;     // standard error
    double mean_cap = 0;  // of the opponents that were chosen
    double score = 0;     // 0..1, over all games
    LadderFit fit;
};

struct PaperAudit {
    std::vector<AuditedColumn> columns;
    // Over the distinct columns: the anchored results of Base repeat the unanchored ones.
    std::size_t distinct_columns = 0;
    std::size_t distinct_cells = 0;
    double mean_slope = 0;  // points of 100 games per 100 Elo
    double mean_expected_slope = 0;
    ChiSquare as_rated, constant;
    // All distinct games rated together with Stockfish's caps free: ratings of the weakest and the
    // strongest cap that this gives, and how far apart they claim to be.
    double lowest_cap = 0, highest_cap = 0;
    double free_span = 0;   // most minus least rating among the caps
    double solis_span = 0;  // among the configurations
};

[[nodiscard]] Result<PaperAudit> audit_paper();

// Name of a configuration: "base unanchored S=5 W=3".
[[nodiscard]] std::string name_of(const PaperColumn& column);
// Whether an earlier column has the same results.
[[nodiscard]] bool is_repeated(const PaperColumn& column);

}  // namespace solis::lab
