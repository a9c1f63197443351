// Options that the commands of the atlas share, and what they make of them.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solis/analysis/space/position_map.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/command.h"
#include "solis/cli/model_choice.h"

namespace solis::cli {

// Which space, and who computes in it.
struct SpaceOptions {
    ModelChoice model;
    int threads = 0;
};
// The space of the model that was chosen.
[[nodiscard]] Result<analysis::SpaceModel> open_space(const SpaceOptions& options);
void add_space_options(Command& command, SpaceOptions& options);
void add_threads_option(Command& command, int& threads);

// How something is drawn.
struct PictureOptions {
    std::string theme = "light";
    double scale = 1;
    Existing existing = Existing::Refuse;
};
void add_picture_options(Command& command, PictureOptions& options);

// A map that is fitted, or read from a file.
struct MapOptions {
    std::string input;
    std::string map;  // an existing map file; empty: a new map
    std::uint64_t count = 20'000;
    std::string kind = "umap";
    std::string metric = "cosine";
    std::string start = "pca";
    std::uint64_t n_neighbors = 15;
    double min_dist = 0.1;
    std::uint64_t epochs = 0;
    std::uint64_t seed = 1;
};
void add_map_options(Command& command, MapOptions& options);
[[nodiscard]] Result<analysis::MapRequest> map_request(const MapOptions& options);
// Reads options.map, or samples positions and fits a map.
[[nodiscard]] Result<analysis::PositionMap> obtain_map(const MapOptions& options,
                                                       const analysis::SpaceModel& model,
                                                       ThreadPool& pool,
                                                       const analysis::Listener& listener);

// A position as the words of a FEN, or "startpos".
void add_position_argument(Command& command, std::vector<std::string>& words);
[[nodiscard]] Result<chess::Position> position_of(const std::vector<std::string>& words);

// Shows stages with the time that is left, tells warnings, and ends the work when the user
// interrupts. Make it before threads are started.
class StageProgress {
  public:
    explicit StageProgress(Console& console) : console_(console) {}
    [[nodiscard]] analysis::Listener listener();

  private:
    [[nodiscard]] bool show(std::string_view stage, std::uint64_t done, std::uint64_t total);

    Console& console_;
    InterruptWatch interrupt_;
    std::string stage_;
    std::optional<Progress> progress_;
};
// Reports the error; an interruption has an exit code of its own.
[[nodiscard]] ExitCode report_failure(Console& console, const Error& error);

// Fails early where one of the files exists and may not be replaced.
[[nodiscard]] Result<void> check_outputs(const std::vector<std::string>& paths, Existing existing);
// Writes a picture by its extension: .svg, .png, .html.
[[nodiscard]] Result<void> write_picture(const std::string& path, const atlas::MapPicture& picture,
                                         const analysis::PositionSample& sample,
                                         const PictureOptions& options);

}  // namespace solis::cli
