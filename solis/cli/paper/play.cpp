// The ladder and the matches at equal depth, played and counted.
#include "solis/cli/paper/play.h"

#include <filesystem>

#include <fmt/format.h>

#include "solis/cli/paper/experiment.h"

namespace solis::cli {
namespace {

Result<void> make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return fail(fmt::format("cannot make the folder '{}': {}", folder, error.message()));
    return {};
}

Result<std::vector<int>> caps_of(const PaperRunOptions& options,
                                 const lab::ProtocolOptions& protocol) {
    const auto range = lab::cap_range(protocol);
    if (!range) return tl::unexpected(range.error());
    if (options.caps.empty()) return lab::caps_in(*range, options.cap_step);
    for (const int cap : options.caps) {
        if (cap < range->low || cap > range->high) {
            return fail(fmt::format("cap {} is outside of what {} offers: {} to {}", cap,
                                    options.stockfish, range->low, range->high));
        }
    }
    return options.caps;
}

}  // namespace

Result<PlayedLadder> play_ladder(const PaperRunOptions& options, Console& console) {
    const auto protocol = protocol_of(options, 100);
    if (!protocol) return tl::unexpected(protocol.error());
    if (auto made = make_folder(options.folder); !made) return tl::unexpected(made.error());
    const auto caps = caps_of(options, *protocol);
    if (!caps) return tl::unexpected(caps.error());
    PaperExperiment experiment(*protocol, options.minutes, console);
    const std::vector<lab::PaperConfig> configs = configs_of(options);
    PlayedLadder played;
    for (std::size_t i = 0; i < configs.size() && !experiment.interrupted(); ++i) {
        lab::ProtocolMatch match{"elo-" + configs[i].name(),
                                 {lab::solis_player(configs[i], *protocol)}};
        for (const int cap : *caps) match.players.push_back(lab::capped_stockfish(cap, *protocol));
        auto games = experiment.play(match, configs.size() - i);
        if (!games) return tl::unexpected(games.error());
        played.games.push_back({configs[i], std::move(*games)});
    }
    auto rated = lab::rate_ladder(played.games, *caps);
    if (!rated) return tl::unexpected(rated.error());
    played.rated = std::move(*rated);
    played.interrupted = experiment.interrupted();
    return played;
}

Result<PlayedDepths> play_depths(const PaperRunOptions& options, Console& console) {
    const auto protocol = protocol_of(options, 200);
    if (!protocol) return tl::unexpected(protocol.error());
    if (auto made = make_folder(options.folder); !made) return tl::unexpected(made.error());
    PaperExperiment experiment(*protocol, options.minutes, console);
    const std::vector<lab::PaperConfig> configs = configs_of(options);
    PlayedDepths played;
    for (std::size_t i = 0; i < configs.size() && !experiment.interrupted(); ++i) {
        const lab::ProtocolMatch match{"depth-" + configs[i].name(),
                                       {lab::solis_player(configs[i], *protocol),
                                        lab::stockfish_at_depth(configs[i].depth, *protocol)}};
        auto games = experiment.play(match, configs.size() - i);
        if (!games) return tl::unexpected(games.error());
        if (games->empty()) continue;
        played.matches.push_back(lab::count_match(configs[i], *games));
        played.games.push_back({configs[i], std::move(*games)});
    }
    played.interrupted = experiment.interrupted();
    return played;
}

}  // namespace solis::cli
