// What the report of the paper is made of: logs of games, the model, and pictures of its space.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "solis/analysis/space/space_model.h"
#include "solis/cli/atlas/atlas_options.h"
#include "solis/lab/paper/report.h"

namespace solis::cli {

// Games of the paper's grid that lie in a folder, by configuration.
struct PlayedGames {
    std::vector<lab::LadderColumn> ladder, depths;
    std::string identity;  // of any of the logs, JSON; empty where there is none
};
[[nodiscard]] Result<PlayedGames> read_played(const std::filesystem::path& folder);
// Fails for games of another model.
[[nodiscard]] Result<void> check_model(const PlayedGames& played, const std::string& hash);

// Rates and counts the games, and picks some to be shown.
[[nodiscard]] Result<void> add_results(const PlayedGames& played, const analysis::SpaceModel& model,
                                       ThreadPool& pool, lab::PaperReport& report);
// Tables 1 and 3, and the numbers of the overview. `path`: of the model, empty for the embedded.
[[nodiscard]] Result<void> add_model(const std::string& path, const analysis::SpaceModel& model,
                                     lab::PaperReport& report);
// Figures 1 and 5, of `count` positions of generated games; also as map.png and paths.png in the
// folder.
[[nodiscard]] Result<void> add_pictures(const std::filesystem::path& folder, std::size_t count,
                                        const analysis::SpaceModel& model, ThreadPool& pool,
                                        const analysis::Listener& listener,
                                        lab::PaperReport& report);

}  // namespace solis::cli
