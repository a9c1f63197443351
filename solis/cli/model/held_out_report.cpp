// The report of solis axis and solis model measure.
#include "solis/cli/model/held_out_report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace solis::cli {
namespace {

// Shares and correlations of fewer say little: of 100 yes-or-no answers the standard error is 0.05.
constexpr std::size_t kEnoughForAFigure = 100;

std::string few_note(std::size_t count, const char* what) {
    if (count >= kEnoughForAFigure) return {};
    return fmt::format("  (too few {} for a figure: use {} or more)", what, kEnoughForAFigure);
}

}  // namespace

void print_held_out(const train::ValidationReport& r, Console& console) {
    console.print("positions          {}{}\n", r.positions, few_note(r.positions, "positions"));
    console.print("Spearman           {:.4f}\n", r.spearman);
    if (r.balanced > 1) {
        console.print("  within 200 cp    {:.4f}, quiet {:.4f}, of {} positions{}\n", r.within_200,
                      r.within_200_quiet, r.balanced, few_note(r.balanced, "positions"));
        console.print("  within 100 cp    {:.4f}, quiet {:.4f}\n", r.within_100,
                      r.within_100_quiet);
    }
    console.print("Kendall            {:.4f}\n", r.kendall);
    if (r.endings > 1) {
        console.print("endings encoder    {:.4f} of {} more positions, on its own axis{}\n",
                      r.endings_spearman, r.endings, few_note(r.endings, "positions"));
    }
    console.print("mean error of p    {:.4f}\n", r.mean_error);
    console.print("calibration error  {:.4f}\n", r.calibration_error);
    if (r.questions == 0) {
        console.print("best move          no position with a known best move\n");
    } else {
        console.print("best move in top 1 / 3 / 5 of {}: {:.3f} / {:.3f} / {:.3f}{}\n", r.questions,
                      r.top1, r.top3, r.top5, few_note(r.questions, "moves"));
    }
    if (r.sibling_pairs == 0) {
        console.print("siblings           no position with two labelled children\n");
    } else {
        console.print("siblings in order  {:.4f} of {} pairs{}\n", r.siblings_in_order,
                      r.sibling_pairs, few_note(r.sibling_pairs, "pairs"));
    }
}

void add_held_out(const train::ValidationReport& report, nlohmann::ordered_json& object) {
    train::ValidationReport::visit(
        report, [&](const char* name, const auto& value) { object[name] = value; });
}

}  // namespace solis::cli
