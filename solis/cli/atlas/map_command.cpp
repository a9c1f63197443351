// solis map: a map of positions in the latent space.
#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "solis/atlas/file/map_file.h"
#include "solis/atlas/quality.h"
#include "solis/base/file.h"
#include "solis/chess/fen.h"
#include "solis/cli/atlas/atlas_options.h"
#include "solis/cli/commands.h"
#include "solis/nn/io/npz.h"

namespace solis::cli {
namespace {

struct MapCommand {
    MapOptions map;
    SpaceOptions space;
    PictureOptions picture;
    std::vector<std::string> out;
    std::string save;
    bool json = false;
};

using Json = nlohmann::ordered_json;
using analysis::PositionMap;
using analysis::SpaceModel;

Json coordinates_json(const PositionMap& fitted) {
    Json points = Json::array();
    for (std::size_t i = 0; i < fitted.data.rows(); ++i) {
        Json point{{"x", fitted.data.places[i].x},
                   {"y", fitted.data.places[i].y},
                   {"win_probability", fitted.data.values[i]}};
        if (!fitted.sample.positions.empty()) {
            point["fen"] = chess::to_fen(fitted.sample.positions[i]);
            point["game"] = fitted.sample.origins[i].game;
            point["ply"] = fitted.sample.origins[i].ply;
        }
        points.push_back(std::move(point));
    }
    return points;
}

Result<void> write_npz_coordinates(const std::string& path, const atlas::MapData& data,
                                   Existing existing) {
    std::vector<float> places;
    for (const atlas::Place& place : data.places) {
        places.push_back(place.x);
        places.push_back(place.y);
    }
    return nn::write_npz(path,
                         {{"coordinates", {{data.rows(), 2}, std::move(places)}},
                          {"win_probabilities", {{data.rows()}, data.values}},
                          {"embeddings", {{data.rows(), data.dims}, data.points}}},
                         existing);
}

Result<void> write_output(const std::string& path, const PositionMap& fitted,
                          const atlas::MapPicture& picture, const PictureOptions& options) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".npz") return write_npz_coordinates(path, fitted.data, options.existing);
    if (extension == ".json") {
        return write_file_atomically(path, coordinates_json(fitted).dump() + "\n",
                                     options.existing);
    }
    return write_picture(path, picture, fitted.sample, options);
}

void print_summary(const MapCommand& command, const PositionMap& fitted, const SpaceModel& model,
                   const atlas::MapQuality& quality, Console& console) {
    if (command.json) {
        return print_json(console, Json{{"positions", fitted.data.rows()},
                                        {"source", fitted.sample.source},
                                        {"dimensions", fitted.data.dims},
                                        {"kind", atlas::name_of(fitted.data.kind)},
                                        {"model", model.hash()},
                                        {"trustworthiness", quality.trustworthiness},
                                        {"neighbour_recall", quality.recall},
                                        {"neighbours", 15},
                                        {"measured_on", quality.sample},
                                        {"files", command.out}});
    }
    console.print("{} positions of {}, {} of {} dimensions\n", fitted.data.rows(),
                  fitted.sample.source, atlas::name_of(fitted.data.kind), fitted.data.dims);
    console.print("trustworthiness {:.4f}, neighbour recall {:.3f} (15 neighbours, {} points)\n",
                  quality.trustworthiness, quality.recall, quality.sample);
    for (const std::string& path : command.out) console.print("wrote {}\n", path);
}

ExitCode run_map(MapCommand command, Console& console) {
    if (command.out.empty() && command.save.empty()) command.out = {"map.html"};
    if (auto ok = check_outputs(command.out, command.picture.existing); !ok) {
        return console.error(ok.error());
    }
    const auto model = open_space(command.space);
    if (!model) return console.error(model.error());
    StageProgress progress(console);
    ThreadPool pool(static_cast<std::size_t>(command.space.threads));
    auto fitted = obtain_map(command.map, *model, pool, progress.listener());
    if (auto ok = model->model().status(); !ok) return console.error(ok.error());
    if (!fitted) return report_failure(console, fitted.error());
    if (!command.save.empty()) {
        if (auto ok = atlas::save_map(command.save, fitted->data, command.picture.existing); !ok) {
            return console.error(ok.error());
        }
        command.out.push_back(command.save);
    }
    const atlas::Map map(fitted->data, pool);
    const atlas::MapPicture picture = analysis::map_picture(map, *model, fitted->sample.source);
    for (const std::string& path : command.out) {
        if (path == command.save) continue;
        if (auto ok = write_output(path, *fitted, picture, command.picture); !ok) {
            return console.error(ok.error());
        }
    }
    constexpr std::size_t kJudged = 1000;
    const auto quality = atlas::map_quality(map.data().view(), map.data().options.metric,
                                            map.data().places, 15, kJudged, pool);
    print_summary(command, *fitted, *model, quality, console);
    return ExitCode::Ok;
}

}  // namespace

void add_map(Command& parent, Session& session) {
    const auto options = std::make_shared<MapCommand>();
    Command* command = parent.add_subcommand("map", "draw a map of positions in the latent space");
    command->add_option("input", options->map.input,
                        "store, PGN, FEN list or any dataset (default: generated games)");
    command
        ->add_option("--out", options->out,
                     ".html (interactive), .svg or .png; .npz or .json for coordinates "
                     "(default: map.html)")
        ->one_at_a_time();
    command->add_option("--save", options->save, "map file, into which positions can be placed");
    command->add_option("--map", options->map.map, "draw this map file instead of fitting one");
    add_map_options(*command, options->map);
    add_space_options(*command, options->space);
    add_picture_options(*command, options->picture);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_map(*options, session.console); });
}

}  // namespace solis::cli
