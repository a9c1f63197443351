// Fitting, reading and captioning maps of positions.
#include "solis/analysis/space/position_map.h"

#include <filesystem>

#include <fmt/format.h>

#include "solis/atlas/file/map_file.h"
#include "solis/chess/fen.h"

namespace solis::analysis {

Result<PositionMap> fit_position_map(const MapRequest& request, const SpaceModel& model,
                                     ThreadPool& pool, const Listener& listener) {
    if (auto ok = atlas::check_options(request.umap); !ok) return tl::unexpected(ok.error());
    auto sample = sample_positions(request.input, request.count, request.seed, model, listener);
    if (!sample) return tl::unexpected(sample.error());
    std::vector<float> z = model.embed(sample->positions, pool);
    auto data = atlas::make_map(request.kind, std::move(z), model.dims(), request.umap,
                                model.axis().direction, pool, listener.watch());
    if (!data) return tl::unexpected(data.error());
    data->space = model.hash();
    const std::vector<double> p = model.win_probabilities(data->points, sample->positions, pool);
    for (std::size_t i = 0; i < p.size(); ++i) {
        data->values.push_back(sample->labels[i].value_or(static_cast<float>(p[i])));
    }
    return PositionMap{std::move(*data), std::move(*sample)};
}

Result<PositionMap> load_position_map(const std::string& path, const SpaceModel& model) {
    auto data = atlas::load_map(path);
    if (!data) return tl::unexpected(data.error());
    if (auto ok = atlas::check_space(*data, model.hash()); !ok) {
        return fail_in(fmt::format("'{}'", path), ok.error());
    }
    if (data->values.empty()) {
        // The model tells what the file does not; the side to move is unknown, and White's then.
        for (std::size_t i = 0; i < data->rows(); ++i) {
            data->values.push_back(static_cast<float>(
                model.win_probability(data->view().row(i), chess::Position::start())));
        }
    }
    PositionMap map{std::move(*data), {}};
    map.sample.source = std::filesystem::path(path).filename().string();
    return map;
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
    picture.title = fmt::format("The latent space of {}",
                                model.name() == "default" ? "the default model" : model.name());
    picture.subtitle = fmt::format("{} positions of {}, {} of {} dimensions", data.rows(), source,
                                   kind, data.dims);
    picture.cloud = {data.places, data.values};
    picture.arrow = axis_arrow(map, model);
    picture.low_label = "Black wins";
    picture.high_label = "White wins";
    picture.value_name = "White's win prob.";
    picture.step_name = "ply";
    picture.panels.resize(1);
    picture.panel_height = atlas::fitting_height(data.places, picture.panel_width, 640);
    return picture;
}

atlas::HtmlExtras board_extras(const PositionSample& sample) {
    constexpr std::size_t kMostLabels = 60'000;  // some 5 MB of text
    atlas::HtmlExtras extras;
    if (sample.positions.size() > kMostLabels) return extras;
    for (std::size_t i = 0; i < sample.positions.size(); ++i) {
        extras.labels.push_back(chess::to_fen(sample.positions[i]) + "|" + sample.origin_text(i));
    }
    extras.show_function = R"js(function show(label){
 const at=label.indexOf("|"),fen=label.slice(0,at);
 const glyph={k:"\u265a",q:"\u265b",r:"\u265c",b:"\u265d",n:"\u265e",p:"\u265f"};
 const plain=text=>text.replace(/&/g,"&amp;").replace(/</g,"&lt;");
 let html="<div style='display:grid;grid-template-columns:repeat(8,25px);border:1px solid #888;width:200px'>";
 fen.split(" ")[0].split("/").forEach((row,r)=>{let f=0;for(const c of row.replace(/\d/g,d=>".".repeat(+d))){
  const white=c!=c.toLowerCase(),piece=c==="."?"":glyph[c.toLowerCase()]+"\ufe0e";
  html+="<span style='width:25px;height:25px;line-height:25px;text-align:center;font-size:21px;background:"+
   ((r+f)%2?"#7f9e86":"#e9e6d3")+";color:"+(white?"#fff;-webkit-text-stroke:.9px #222":"#111")+"'>"+piece+"</span>";f++}});
 return html+"</div><p>"+plain(fen)+"</p><p>"+plain(label.slice(at+1))+"</p>"})js";
    return extras;
}

}  // namespace solis::analysis
