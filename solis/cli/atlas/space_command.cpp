// solis space: figures of latent spaces, one column per model.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/analysis/space/space_figures.h"
#include "solis/base/chart_svg.h"
#include "solis/base/file.h"
#include "solis/cli/atlas/atlas_options.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;
using analysis::SpaceFigures;
using analysis::SpaceModel;
using analysis::SpaceSample;

struct SpaceCommand {
    std::string input;
    std::vector<std::string> models;
    std::uint64_t count = 10'000;
    std::uint64_t games = 200;
    std::uint64_t seed = 1;
    std::string chart;
    int threads = 0;
    Existing existing = Existing::Refuse;
    bool json = false;
};

struct ModelColumn {
    std::string name;
    SpaceFigures figures;
};

Result<ModelColumn> measure(const std::string& name, const SpaceSample& sample, ThreadPool& pool) {
    const bool untrained = name == "untrained";
    const auto model = untrained ? SpaceModel::untrained(Seed{1})
                                 : SpaceModel::open(name == "default" ? "" : name);
    if (!model) return tl::unexpected(model.error());
    std::vector<float> axis = model->axis().direction;
    if (untrained) {
        if (auto own = analysis::sample_axis(sample, *model, pool)) axis = std::move(*own);
    }
    return ModelColumn{untrained ? name : model->name(),
                       analysis::space_figures(sample, *model, axis, !untrained, pool)};
}

struct FigureRow {
    const char* key;
    const char* text;
    std::optional<double> (*value)(const SpaceFigures&);
    const char* format;
};

constexpr FigureRow kRows[] = {
    {"dimensions", "dimensions",
     [](const SpaceFigures& f) { return std::optional(static_cast<double>(f.dims)); }, "{:.0f}"},
    {"axis_linear", "p explained by the axis, linear (R2)",
     [](const SpaceFigures& f) { return f.linear; }, "{:.3f}"},
    {"axis_monotone", "p and the axis, monotone (Spearman)",
     [](const SpaceFigures& f) { return f.monotone; }, "{:.3f}"},
    {"calibration_error", "calibration error", [](const SpaceFigures& f) { return f.calibration; },
     "{:.4f}"},
    {"local_spread", "spread of p among 15 neighbours",
     [](const SpaceFigures& f) { return f.local_spread; }, "{:.3f}"},
    {"global_spread", "spread of p among all",
     [](const SpaceFigures& f) { return f.global_spread; }, "{:.3f}"},
    {"uniformity", "uniformity", [](const SpaceFigures& f) { return std::optional(f.uniformity); },
     "{:.2f}"},
    {"intrinsic_dimensions", "intrinsic dimension (two neighbours)",
     [](const SpaceFigures& f) { return std::optional(f.intrinsic_dims); }, "{:.1f}"},
    {"effective_dimensions", "effective dimension (components)",
     [](const SpaceFigures& f) { return std::optional(f.effective_dims); }, "{:.1f}"},
    {"step_angle", "angle between steps of games, degrees",
     [](const SpaceFigures& f) { return f.angle; }, "{:.1f}"},
    {"steps_towards_result", "steps that go the winner's way",
     [](const SpaceFigures& f) { return f.towards; }, "{:.3f}"},
};

void print_columns(const SpaceCommand& command, const std::vector<ModelColumn>& columns,
                   const SpaceSample& sample, Console& console) {
    if (command.json) {
        Json models = Json::array();
        for (const ModelColumn& column : columns) {
            Json json{{"model", column.name}};
            for (const FigureRow& row : kRows) {
                const auto value = row.value(column.figures);
                json[row.key] = value ? Json(*value) : Json();
            }
            models.push_back(std::move(json));
        }
        return print_json(console, {{"positions", sample.positions.size()},
                                    {"games", sample.games.size()},
                                    {"labelled", sample.labelled()},
                                    {"models", std::move(models)}});
    }
    console.print("{:<40}", fmt::format("{} positions, {} games", sample.positions.size(),
                                        sample.games.size()));
    for (const ModelColumn& column : columns) console.print("{:>12}", column.name.substr(0, 11));
    console.print("\n");
    for (const FigureRow& row : kRows) {
        console.print("{:<40}", row.text);
        for (const ModelColumn& column : columns) {
            const auto value = row.value(column.figures);
            console.print("{:>12}", value ? fmt::format(fmt::runtime(row.format), *value) : "-");
        }
        console.print("\n");
    }
    if (!sample.labelled()) {
        console.note("figures with p need labelled positions: name a store or dataset");
    }
}

std::string calibration_chart(const std::vector<ModelColumn>& columns) {
    ChartPanel panel{
        "actual share of White's points over the predicted", {}, {0, 0.25, 0.5, 0.75, 1}};
    panel.series.push_back(
        {"perfect", "#999999", {{0, 0, 0, 0}, {1, 1, 0, 0}}, false, true, false});
    for (std::size_t i = 0; i < columns.size(); ++i) {
        ChartSeries series{columns[i].name, chart_color(i), {}, false, false, true};
        for (const analysis::CalibrationBin& bin : columns[i].figures.bins) {
            series.points.push_back({bin.predicted, bin.actual, 0, 0});
        }
        if (!series.points.empty()) panel.series.push_back(std::move(series));
    }
    return chart_svg("Calibration", {panel});
}

ExitCode run_space(SpaceCommand command, Console& console) {
    if (auto ok = check_output(command.chart, command.existing); !ok) {
        return console.error(ok.error());
    }
    if (command.models.empty()) command.models = {"default", "untrained"};
    const auto generator = SpaceModel::open("");
    if (!generator) return console.error(generator.error());
    StageProgress progress(console);
    ThreadPool pool(static_cast<std::size_t>(command.threads));
    const auto sample =
        analysis::take_space_sample(command.input, command.count, command.games, Seed{command.seed},
                                    *generator, progress.listener());
    if (!sample) return report_failure(console, sample.error());
    std::vector<ModelColumn> columns;
    for (const std::string& name : command.models) {
        auto column = measure(name, *sample, pool);
        if (!column) return console.error(column.error());
        columns.push_back(std::move(*column));
    }
    if (!command.chart.empty()) {
        const auto written =
            write_file_atomically(command.chart, calibration_chart(columns), command.existing);
        if (!written) return console.error(written.error());
    }
    print_columns(command, columns, *sample, console);
    return ExitCode::Ok;
}

}  // namespace

void add_space(Command& parent, Session& session) {
    const auto options = std::make_shared<SpaceCommand>();
    Command* command =
        parent.add_subcommand("space", "figures of latent spaces, one column per model");
    command->add_option(
        "input", options->input,
        "labelled positions: store or dataset (default: generated games, unlabelled)");
    command
        ->add_option("--model", options->models,
                     "model file, 'default' or 'untrained'; may be repeated")
        ->one_at_a_time();
    command->add_option("--count", options->count, "positions")
        ->range(100, 100'000)
        ->capture_default_str();
    command->add_option("--games", options->games, "games for the figures of paths")
        ->range(1, 100'000)
        ->capture_default_str();
    command->add_option("--seed", options->seed, "of the sample")->capture_default_str();
    command->add_option("--chart", options->chart, "calibration plot as .svg");
    add_threads_option(*command, options->threads);
    add_force_flag(*command, options->existing);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_space(*options, session.console); });
}

}  // namespace solis::cli
