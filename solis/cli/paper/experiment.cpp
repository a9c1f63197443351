// Progress, faults and the end of the time.
#include "solis/cli/paper/experiment.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/base/progress.h"

namespace solis::cli {

PaperExperiment::PaperExperiment(lab::ProtocolOptions protocol, double minutes, Console& console)
    : protocol_(std::move(protocol)), console_(console) {
    if (minutes > 0) {
        end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(60 * minutes));
    }
}

Result<std::vector<lab::GameRecord>> PaperExperiment::play(const lab::ProtocolMatch& match,
                                                           std::size_t left) {
    const auto rounds = (protocol_.games + 1) / 2;
    const std::uint64_t planned = rounds * 2 * (match.players.size() - 1);
    Progress progress(console_, match.name, planned, "games");
    const auto until = deadline(left);
    lab::ProtocolHooks hooks;
    hooks.on_game = [&](const lab::GameRecord& game) {
        progress.update(std::min(planned, game.number + 1));
        if (!game.at_fault) return;
        progress.clear();
        console_.warn(fmt::format("{} game {} does not count: {} ({})", match.name, game.number + 1,
                                  lab::name_of(game.ending), game.note));
    };
    hooks.going_on = [&] { return !interrupt_.requested() && (!until || Clock::now() < *until); };
    auto games = lab::play_protocol(match, protocol_, hooks);
    if (!games) return fail_in(match.name, games.error());
    if (games->games.size() < games->planned) {
        console_.note("{}: {} of {} games", match.name, games->games.size(), games->planned);
    }
    return std::move(games->games);
}

std::optional<PaperExperiment::Clock::time_point> PaperExperiment::deadline(
    std::size_t left) const {
    if (!end_) return std::nullopt;
    const auto now = Clock::now();
    return now + (*end_ - now) / static_cast<Clock::rep>(left);
}

}  // namespace solis::cli
