// A review as a document that can be kept: a page that needs nothing from outside, or the graph.
#pragma once
#include <string>

#include "solis/analysis/review/review.h"

namespace solis::analysis {

// Colours of documents that cannot ask what the reader likes.
enum class ReportTheme { Light, Dark };

// White's win probability over the game, the bad moves marked. Self-contained.
[[nodiscard]] std::string review_svg(const GameReview& review, ReportTheme theme);
// Names, result, accuracy, graph, the moments that decided the game with their boards, and every
// move with its figures. No script; light or dark as the reader's system says.
[[nodiscard]] std::string review_html(const GameReview& review, const std::string& model);

}  // namespace solis::analysis
