// Logs, model and pictures for the report of the paper.
#include "solis/cli/paper/report_inputs.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/analysis/space/position_map.h"
#include "solis/analysis/space/trace.h"
#include "solis/atlas/draw/canvas.h"
#include "solis/base/file.h"
#include "solis/chess/movegen.h"
#include "solis/chess/san.h"
#include "solis/cli/paper/report_games.h"
#include "solis/lab/match/game_log.h"
#include "solis/model/embedded_model.h"
#include "solis/nn/transformer/weights.h"

namespace solis::cli {
namespace {

Result<void> read_column(const std::filesystem::path& folder, const std::string& name,
                         const lab::PaperConfig& config, std::vector<lab::LadderColumn>& columns,
                         std::string& identity) {
    auto log = lab::read_game_log(folder / (name + config.name() + ".log"));
    if (!log) return fail_in(name + config.name(), log.error());
    std::erase_if(log->games,
                  [](const lab::GameRecord& game) { return game.at_fault.has_value(); });
    if (log->games.empty()) return {};
    identity = log->identity;
    columns.push_back({config, std::move(log->games)});
    return {};
}

// The caps that occur: "stockfish-1350".
std::vector<int> caps_met(const std::vector<lab::LadderColumn>& columns) {
    constexpr std::string_view kName = "stockfish-";
    std::set<int> caps;
    for (const lab::LadderColumn& column : columns) {
        for (const lab::GameRecord& game : column.games) {
            const std::string& name = game.white == column.config.name() ? game.black : game.white;
            int cap = 0;
            if (!name.starts_with(kName)) continue;
            const char* const end = name.data() + name.size();
            if (std::from_chars(name.data() + kName.size(), end, cap).ptr == end) caps.insert(cap);
        }
    }
    return {caps.begin(), caps.end()};
}

// A value of the configuration that a model file carries, without its quotes.
std::string config_value(const std::string& config, std::string_view key) {
    const std::string start = fmt::format("\n{} = ", key);
    const std::string text = "\n" + config;
    const std::size_t at = text.find(start);
    if (at == std::string::npos) return "–";
    const std::size_t begin = at + start.size();
    std::string value = text.substr(begin, text.find('\n', begin) - begin);
    std::erase(value, '"');
    return value;
}

std::vector<lab::ReportSetting> settings_of(const model::ModelFile& file) {
    const std::string& config = file.provenance.training_config;
    const bool swift = file.swift() != nullptr;
    return {{"Loss", "SupCon", config_value(config, "loss")},
            {"τ", "0.07", config_value(config, "temperature")},
            {"δ (positive margin)", "0.05", config_value(config, "margin")},
            {"Positives per anchor", "5", "all of the batch within δ"},
            {"Optimizer", "SGD", config_value(config, "optimizer")},
            {"Momentum", "0.9", config_value(config, "momentum")},
            {"Learning rate", "0.05", config_value(config, "learning_rate")},
            {"Batch size", "128", config_value(config, "batch")},
            {"Steps", "400k", config_value(config, "steps")},
            {"Dropout", "0.10", config_value(config, "dropout")},
            {"Activation", "GELU", swift ? config_value(config, "activation") : "GELU"},
            {"Similarity", "cosine", "cosine"},
            {"Embedding norm", "l2", "l2"},
            {"Token length", "77", swift ? "none: sparse inputs" : "77"}};
}

lab::ReportModel transformer_row(std::string name, const nn::TransformerShape& shape) {
    return {std::move(name),
            std::to_string(shape.layers),
            std::to_string(shape.dims),
            std::to_string(shape.heads),
            std::to_string(shape.mlp),
            std::to_string(nn::parameter_count(shape))};
}

std::vector<lab::ReportModel> model_rows(const model::ModelFile& file, const std::string& name) {
    std::vector<lab::ReportModel> rows;
    for (const char* preset : {"mini", "base"}) {
        if (const auto shape = nn::transformer_preset(preset)) {
            rows.push_back(transformer_row(fmt::format("{} as built here", preset), *shape));
        }
    }
    if (file.transformer() != nullptr) {
        rows.push_back(transformer_row(name + " (measured)", file.transformer()->shape));
    } else {
        rows.push_back({name + " (swift, measured)", "2", std::to_string(file.dims()), "–",
                        std::to_string(file.swift()->shape.accumulators) + " per view",
                        std::to_string(file.parameter_count())});
    }
    return rows;
}

std::string as_image(std::string_view png, std::string_view text) {
    return fmt::format("<img alt=\"{}\" src=\"data:image/png;base64,{}\">", text,
                       atlas::base64(png));
}

// The picture beside the page as NAME.png, and as it stands in the page. Where there is no cairo to
// draw PNG with, as SVG in both places, which is larger.
Result<std::string> kept_picture(const std::filesystem::path& folder, const std::string& name,
                                 const atlas::MapPicture& picture, std::string_view text) {
    const auto theme = atlas::theme_from_name("light");
    if (!theme) return tl::unexpected(theme.error());
    if (const auto png = atlas::to_png(picture, *theme)) {
        const auto kept = write_file_atomically(folder / (name + ".png"), *png);
        if (!kept) return tl::unexpected(kept.error());
        return as_image(*png, text);
    }
    auto svg = atlas::to_svg(picture, *theme);
    if (!svg) return svg;
    const auto kept = write_file_atomically(folder / (name + ".svg"), *svg);
    if (!kept) return tl::unexpected(kept.error());
    return svg;
}

}  // namespace

Result<PlayedGames> read_played(const std::filesystem::path& folder) {
    PlayedGames played;
    for (const lab::Scoring scoring : {lab::Scoring::Unanchored, lab::Scoring::Anchored}) {
        for (int depth = 2; depth <= 5; ++depth) {
            for (const int width : {1, 2, 3, 5}) {
                const lab::PaperConfig config{depth, width, scoring};
                if (auto ok = read_column(folder, "elo-", config, played.ladder, played.identity);
                    !ok) {
                    return tl::unexpected(ok.error());
                }
                if (auto ok = read_column(folder, "depth-", config, played.depths, played.identity);
                    !ok) {
                    return tl::unexpected(ok.error());
                }
            }
        }
    }
    return played;
}

Result<void> check_model(const PlayedGames& played, const std::string& hash) {
    const auto identity = nlohmann::json::parse(played.identity, nullptr, false);
    if (!identity.is_object() || !identity.contains("model")) return {};
    if (identity["model"] == hash) return {};
    return fail("the games in this folder were played by another model",
                "name another folder, or the model that played them");
}

Result<void> add_model(const std::string& path, const analysis::SpaceModel& model,
                       lab::PaperReport& report) {
    const auto file = model::load_model_or_default(path);
    if (!file) return tl::unexpected(file.error());
    report.model =
        fmt::format("the model {} ({}, {} dimensions, {} parameters, hash {})", model.name(),
                    file->encoder_kind(), model.dims(), file->parameter_count(), model.hash());
    report.models = model_rows(*file, model.name());
    report.settings = settings_of(*file);
    const chess::Position start = chess::Position::start();
    const auto evaluator = model.model().make_evaluator();
    for (const chess::Move move : chess::legal_moves(start)) {
        const double score = static_cast<double>(evaluator->score(start.after(move)));
        report.candidates.push_back({chess::to_san(start, move), score});
    }
    std::ranges::stable_sort(report.candidates,
                             [](const auto& a, const auto& b) { return a.score > b.score; });
    report.legal_moves = report.candidates.size();
    return {};
}

Result<void> add_pictures(const std::filesystem::path& folder, std::size_t count,
                          const analysis::SpaceModel& model, ThreadPool& pool,
                          const analysis::Listener& listener, lab::PaperReport& report) {
    analysis::MapRequest request;
    request.count = count;
    request.umap.seed = request.seed;  // the map of `solis map` without options
    auto fitted = analysis::fit_position_map(request, model, pool, listener);
    if (!fitted) return tl::unexpected(fitted.error());
    const atlas::Map map(std::move(fitted->data), pool);
    const atlas::MapPicture base = analysis::map_picture(map, model, fitted->sample.source);
    auto drawn = kept_picture(folder, "map", base, "UMAP of positions");
    if (!drawn) return tl::unexpected(drawn.error());
    report.map = std::move(*drawn);
    std::vector<analysis::GameTrace> traces;
    std::vector<atlas::MapPath> paths;
    for (analysis::SeenGame& game : analysis::generated_examples(model, Seed{1})) {
        traces.push_back(analysis::trace_game(std::move(game), model, 3, pool));
        auto path = analysis::path_on_map(traces.back(), map, pool);
        if (!path) return tl::unexpected(path.error());
        paths.push_back(std::move(*path));
    }
    drawn = kept_picture(folder, "paths", analysis::traces_picture(base, traces, paths),
                         "Three games as paths over the map");
    if (!drawn) return tl::unexpected(drawn.error());
    report.paths = std::move(*drawn);
    return {};
}

Result<void> add_results(const PlayedGames& played, const analysis::SpaceModel& model,
                         ThreadPool& pool, lab::PaperReport& report) {
    auto rated = lab::rate_ladder(played.ladder, caps_met(played.ladder));
    if (!rated) return tl::unexpected(rated.error());
    report.ladder = std::move(*rated);
    for (const lab::LadderColumn& column : played.depths) {
        report.matches.push_back(lab::count_match(column.config, column.games));
    }
    auto printed = printed_games(model, pool);
    if (!printed) return tl::unexpected(printed.error());
    report.printed_games = std::move(*printed);
    report.ladder_games = chosen_games(played.ladder, model, pool);
    report.depth_games = chosen_games(played.depths, model, pool);
    return {};
}

}  // namespace solis::cli
