// What the commands of the atlas share.
#include "solis/cli/atlas/atlas_options.h"

#include <filesystem>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/base/file.h"
#include "solis/chess/fen.h"

namespace solis::cli {

void add_threads_option(Command& command, int& threads) {
    command.add_option("--threads", threads, "0: one per core")->range(0, 1024);
}

void add_space_options(Command& command, SpaceOptions& options) {
    add_model_options(command, options.model);
    add_threads_option(command, options.threads);
}

Result<analysis::SpaceModel> open_space(const SpaceOptions& options) {
    if (options.model.encoder_command.empty())
        return analysis::SpaceModel::open(options.model.path);
    auto loaded = open_model(options.model);
    if (!loaded) return tl::unexpected(loaded.error());
    const auto bytes = read_file(options.model.path);
    if (!bytes) return tl::unexpected(bytes.error());
    return analysis::SpaceModel::of(std::move(*loaded), *bytes,
                                    std::filesystem::path(options.model.path).stem().string());
}

void add_picture_options(Command& command, PictureOptions& options) {
    command.add_option("--theme", options.theme, "light or dark")
        ->one_of({"light", "dark"})
        ->capture_default_str();
    command.add_option("--scale", options.scale, "pixels of a PNG per pixel of the drawing")
        ->range(0.25, 8)
        ->capture_default_str();
    add_force_flag(command, options.existing);
}

void add_map_options(Command& command, MapOptions& options) {
    command.add_option("--count", options.count, "positions on the map")
        ->range(1, 10'000'000)
        ->capture_default_str();
    command.add_option("--kind", options.kind, "umap, pca, or axis (needs no fitting)")
        ->one_of({"umap", "pca", "axis"})
        ->capture_default_str();
    command.add_option("--n-neighbors", options.n_neighbors, "of UMAP: size of a neighbourhood")
        ->range(2, 1000)
        ->capture_default_str();
    command.add_option("--min-dist", options.min_dist, "of UMAP: how close points may lie")
        ->range(0, 1)
        ->capture_default_str();
    command.add_option("--metric", options.metric, "cosine or euclidean")
        ->one_of({"cosine", "euclidean"})
        ->capture_default_str();
    command.add_option("--start", options.start, "of UMAP's layout: pca or spectral")
        ->one_of({"pca", "spectral"})
        ->capture_default_str();
    command
        .add_option("--epochs", options.epochs, "of UMAP's layout; 0: 500, 200 above 10,000 points")
        ->range(0, 100'000);
    command.add_option("--seed", options.seed, "of the sample and the layout")
        ->capture_default_str();
}

Result<analysis::MapRequest> map_request(const MapOptions& options) {
    const auto metric = atlas::metric_from_name(options.metric);
    if (!metric) return tl::unexpected(metric.error());
    const auto kind = atlas::map_kind_from_name(options.kind);
    if (!kind) return tl::unexpected(kind.error());
    analysis::MapRequest request;
    request.input = options.input;
    request.count = options.count;
    request.seed = Seed{options.seed};
    request.kind = *kind;
    request.umap.metric = *metric;
    request.umap.start = options.start == "spectral" ? atlas::Start::Spectral : atlas::Start::Pca;
    request.umap.n_neighbors = options.n_neighbors;
    request.umap.min_dist = options.min_dist;
    request.umap.n_epochs = options.epochs;
    request.umap.seed = Seed{options.seed};
    return request;
}

Result<analysis::PositionMap> obtain_map(const MapOptions& options,
                                         const analysis::SpaceModel& model, ThreadPool& pool,
                                         const analysis::Listener& listener) {
    if (!options.map.empty()) return analysis::load_position_map(options.map, model);
    const auto request = map_request(options);
    if (!request) return tl::unexpected(request.error());
    return analysis::fit_position_map(*request, model, pool, listener);
}

void add_position_argument(Command& command, std::vector<std::string>& words) {
    command.add_option("fen", words, "position as FEN, or 'startpos'")->required();
}

Result<chess::Position> position_of(const std::vector<std::string>& words) {
    const std::string text = fmt::format("{}", fmt::join(words, " "));
    return text == "startpos" ? chess::Position::start() : chess::parse_fen(text);
}

analysis::Listener StageProgress::listener() {
    return {[this](std::string_view stage, std::uint64_t done, std::uint64_t total) {
                return show(stage, done, total);
            },
            [this](std::string_view message) {
                if (progress_) progress_->clear();
                console_.warn(message);
            }};
}

bool StageProgress::show(std::string_view stage, std::uint64_t done, std::uint64_t total) {
    if (stage != stage_) {
        stage_ = stage;
        // Of 1000 is a share of the work, not a number of anything.
        progress_.emplace(console_, stage_, total, total == 1000 ? "" : "positions");
    }
    progress_->update(done);
    return !interrupt_.requested();
}

ExitCode report_failure(Console& console, const Error& error) {
    return console.error(error,
                         atlas::is_interruption(error) ? ExitCode::Interrupted : ExitCode::Failed);
}

Result<void> check_outputs(const std::vector<std::string>& paths, Existing existing) {
    for (const std::string& path : paths) {
        if (auto ok = check_output(path, existing); !ok) return ok;
    }
    return {};
}

Result<void> write_picture(const std::string& path, const atlas::MapPicture& picture,
                           const analysis::PositionSample& sample, const PictureOptions& options) {
    const auto theme = atlas::theme_from_name(options.theme);
    if (!theme) return tl::unexpected(theme.error());
    const std::string extension = std::filesystem::path(path).extension().string();
    Result<std::string> bytes =
        fail(fmt::format("'{}' has no ending that names a kind of picture", path),
             "use .svg, .png or .html");
    if (extension == ".svg") bytes = atlas::to_svg(picture, *theme);
    if (extension == ".png") bytes = atlas::to_png(picture, *theme, options.scale);
    if (extension == ".html") bytes = atlas::to_html(picture, analysis::board_extras(sample));
    if (!bytes) return tl::unexpected(bytes.error());
    return write_file_atomically(path, *bytes, options.existing);
}

}  // namespace solis::cli
