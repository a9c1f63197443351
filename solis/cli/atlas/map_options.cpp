// What the commands of the atlas share.
#include "solis/cli/atlas/map_options.h"

#include <filesystem>

#include <fmt/format.h>

#include "solis/atlas/file/map_file.h"
#include "solis/base/file.h"
#include "solis/chess/fen.h"

namespace solis::cli {

void add_map_options(Command& command, MapOptions& options) {
    command.add_option("--model", options.model, "model file (default: the embedded one)");
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

void add_picture_options(Command& command, MapOptions& options) {
    command.add_option("--theme", options.theme, "light or dark")
        ->one_of({"light", "dark"})
        ->capture_default_str();
    command.add_option("--scale", options.scale, "pixels of a PNG per pixel of the drawing")
        ->range(0.25, 8)
        ->capture_default_str();
    command.add_option("--threads", options.threads, "0: one per core")->range(0, 1024);
    add_force_flag(command, options.existing);
}

Result<atlas::UmapOptions> umap_options(const MapOptions& options) {
    atlas::UmapOptions umap;
    const auto metric = atlas::metric_from_name(options.metric);
    if (!metric) return tl::unexpected(metric.error());
    umap.metric = *metric;
    umap.start = options.start == "spectral" ? atlas::Start::Spectral : atlas::Start::Pca;
    umap.n_neighbors = options.n_neighbors;
    umap.min_dist = options.min_dist;
    umap.n_epochs = options.epochs;
    umap.seed = Seed{options.seed};
    return umap;
}

atlas::Watch StageProgress::watch() {
    return [this](std::string_view stage, double share) {
        if (stage != stage_) {
            stage_ = stage;
            progress_.emplace(console_, stage_, 1000, "");
        }
        progress_->update(static_cast<std::uint64_t>(1000 * share));
        return !interrupted();
    };
}

namespace {

Result<FittedMap> fit_map(const MapOptions& options, const SpaceModel& model, ThreadPool& pool,
                          Console& console) {
    const auto umap = umap_options(options);
    if (!umap) return tl::unexpected(umap.error());
    const auto kind = atlas::map_kind_from_name(options.kind);
    if (!kind) return tl::unexpected(kind.error());
    auto sample =
        sample_positions(options.input, options.count, Seed{options.seed}, model, console);
    if (!sample) return tl::unexpected(sample.error());
    std::vector<float> z = model.embed(sample->positions, pool);
    StageProgress progress(console);
    auto data = atlas::make_map(*kind, std::move(z), model.dims(), *umap, model.axis().direction,
                                pool, progress.watch());
    if (!data) return tl::unexpected(data.error());
    data->space = model.hash();
    for (std::size_t i = 0; i < sample->positions.size(); ++i) {
        const double p = model.win_probability(data->view().row(i), sample->positions[i]);
        data->values.push_back(sample->labels[i].value_or(static_cast<float>(p)));
    }
    return FittedMap{std::move(*data), std::move(sample->positions), std::move(sample->source)};
}

}  // namespace

Result<FittedMap> obtain_map(const MapOptions& options, const SpaceModel& model, ThreadPool& pool,
                             Console& console) {
    if (options.map.empty()) return fit_map(options, model, pool, console);
    auto data = atlas::load_map(options.map);
    if (!data) return tl::unexpected(data.error());
    if (auto ok = atlas::check_space(*data, model.hash()); !ok) {
        return fail_in(fmt::format("'{}'", options.map), ok.error());
    }
    if (data->values.empty()) {
        // The model tells what the file does not; the side to move is unknown, and White's then.
        for (std::size_t i = 0; i < data->rows(); ++i) {
            data->values.push_back(static_cast<float>(
                model.win_probability(data->view().row(i), chess::Position::start())));
        }
    }
    return FittedMap{std::move(*data), {}, std::filesystem::path(options.map).filename().string()};
}

std::optional<atlas::MapArrow> axis_arrow(const atlas::Map& map, const SpaceModel& model) {
    const auto black = map.place(model.axis().mu_black), white = map.place(model.axis().mu_white);
    if (!black || !white) return std::nullopt;
    return atlas::MapArrow{*black, *white, "\u03bc Black", "\u03bc White"};
}

atlas::MapPicture map_picture(const atlas::Map& map, const SpaceModel& model,
                              const std::string& source) {
    atlas::MapPicture picture;
    const atlas::MapData& data = map.data();
    const std::string kind = data.kind == atlas::MapKind::Umap  ? "UMAP"
                             : data.kind == atlas::MapKind::Pca ? "principal components"
                                                                : "advantage axis and strongest "
                                                                  "direction across";
    picture.title = fmt::format("The latent space of {}", model.name());
    picture.subtitle = fmt::format("{} positions of {}, {} of {} dimensions", data.rows(), source,
                                   kind, data.dims);
    picture.cloud = {data.places, data.values};
    picture.arrow = axis_arrow(map, model);
    picture.low_label = "Black wins";
    picture.high_label = "White wins";
    picture.value_name = "White's win prob.";
    picture.step_name = "ply";
    picture.panels.resize(1);
    return picture;
}

Result<void> write_picture(const std::string& path, const atlas::MapPicture& picture,
                           const atlas::HtmlExtras& extras, const MapOptions& options) {
    const auto theme = atlas::theme_from_name(options.theme);
    if (!theme) return tl::unexpected(theme.error());
    const std::string extension = std::filesystem::path(path).extension().string();
    Result<std::string> bytes =
        fail(fmt::format("'{}' has no ending that names a kind of picture", path),
             "use .svg, .png or .html");
    if (extension == ".svg") bytes = atlas::to_svg(picture, *theme);
    if (extension == ".png") bytes = atlas::to_png(picture, *theme, options.scale);
    if (extension == ".html") bytes = atlas::to_html(picture, extras);
    if (!bytes) return tl::unexpected(bytes.error());
    return write_file_atomically(path, *bytes, options.existing);
}

atlas::HtmlExtras board_extras(const std::vector<chess::Position>& positions) {
    constexpr std::size_t kMostLabels = 60'000;  // some 4 MB of text
    atlas::HtmlExtras extras;
    if (positions.size() > kMostLabels) return extras;
    for (const chess::Position& position : positions) {
        extras.labels.push_back(chess::to_fen(position));
    }
    extras.show_function = R"js(function show(fen){
 const glyph={k:"\u265a",q:"\u265b",r:"\u265c",b:"\u265d",n:"\u265e",p:"\u265f"};
 let html="<div style='display:grid;grid-template-columns:repeat(8,25px);border:1px solid #888;width:200px'>";
 fen.split(" ")[0].split("/").forEach((row,r)=>{let f=0;for(const c of row.replace(/\d/g,d=>".".repeat(+d))){
  const white=c!=c.toLowerCase(),piece=c==="."?"":glyph[c.toLowerCase()]+"\ufe0e";
  html+="<span style='width:25px;height:25px;line-height:25px;text-align:center;font-size:21px;background:"+
   ((r+f)%2?"#7f9e86":"#e9e6d3")+";color:"+(white?"#fff;-webkit-text-stroke:.9px #222":"#111")+"'>"+piece+"</span>";f++}});
 return html+"</div><p>"+fen.replace(/[<&]/g,"")+"</p>"})js";
    return extras;
}

}  // namespace solis::cli
