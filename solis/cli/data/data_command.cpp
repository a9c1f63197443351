// solis data: everything about stores of labelled games.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/cli/commands.h"
#include "solis/cli/data/data_commands.h"

namespace solis::cli {
namespace {

constexpr std::array kDataCommands{
    add_data_endings, add_data_export, add_data_head,  add_data_import,
    add_data_info,    add_data_merge,  add_data_split, add_data_stats,
};

}  // namespace

nlohmann::ordered_json manifest_json(const data::Manifest& manifest) {
    return nlohmann::ordered_json::parse(data::to_json_text(manifest));
}

std::string bar(double share, int width) {
    const auto filled = static_cast<std::size_t>(std::lround(share * width));
    return std::string(std::min(filled, static_cast<std::size_t>(width)), '#');
}

void print_probabilities(Console& console, const data::StoreSummary& summary) {
    constexpr int kBarWidth = 40;
    const auto& bins = summary.white_p;
    const double most = static_cast<double>(*std::max_element(bins.begin(), bins.end()));
    const double all = static_cast<double>(std::max<std::uint64_t>(summary.labelled, 1));
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const double count = static_cast<double>(bins[i]);
        const double from = static_cast<double>(i) / static_cast<double>(bins.size());
        console.print("  {:.2f}  {:5.1f} %  {}\n", from, 100 * count / all,
                      bar(most > 0 ? count / most : 0, kBarWidth));
    }
}

void add_data(Command& parent, Session& session) {
    Command* command = parent.add_subcommand("data", "make and inspect stores of labelled games");
    command->require_subcommand();
    for (const AddCommand add : kDataCommands) add(*command, session);
}

}  // namespace solis::cli
