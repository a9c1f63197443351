// Defaults: the paper's, and those of a quick look.
#include "solis/cli/paper/run_options.h"

#include <algorithm>
#include <thread>

#include "solis/atlas/file/sealed_file.h"
#include "solis/base/byte_source.h"
#include "solis/cli/own_program.h"
#include "solis/model/embedded_model.h"

namespace solis::cli {
namespace {

std::vector<model::Scoring> scorings_of(const PaperRunOptions& options) {
    std::vector<model::Scoring> scorings;
    for (const std::string& name : options.scorings) {
        scorings.push_back(name == "anchored" ? model::Scoring::Anchored
                                              : model::Scoring::Unanchored);
    }
    return scorings;
}

}  // namespace

Result<lab::ProtocolOptions> protocol_of(const PaperRunOptions& options,
                                         std::uint64_t papers_games) {
    lab::ProtocolOptions protocol;
    std::string bytes(model::embedded_model_bytes());
    if (!options.weights.empty()) {
        auto file = read_file(options.weights);
        if (!file) return tl::unexpected(file.error());
        bytes = std::move(*file);
    }
    protocol.model_hash = atlas::hash_text(bytes);
    protocol.folder = options.folder;
    protocol.own = own_program();
    protocol.stockfish = options.stockfish;
    protocol.weights = options.weights;
    protocol.games = options.games > 0 ? options.games : papers_games;
    protocol.seed = options.seed;
    protocol.stockfish_nodes = options.nodes;
    protocol.concurrency = options.concurrency > 0
                               ? options.concurrency
                               : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    return protocol;
}

std::vector<lab::PaperConfig> configs_of(const PaperRunOptions& options) {
    std::vector<lab::PaperConfig> configs;
    for (const model::Scoring scoring : scorings_of(options)) {
        for (const int depth : options.depths) {
            for (const int width : options.widths) configs.push_back({depth, width, scoring});
        }
    }
    return configs;
}

// What finishes in ten minutes on two cores: corners of the grid, few games.
void settle_elo(PaperRunOptions& options) {
    if (options.quick) {
        if (options.depths.empty()) options.depths = {2, 5};
        if (options.widths.empty()) options.widths = {1, 3};
        if (options.scorings.empty()) options.scorings = {"unanchored"};
        if (options.caps.empty()) options.caps = {1350, 1500, 1700, 1900};
        if (options.games == 0) options.games = 16;
        if (options.minutes == 0) options.minutes = 9.5;
    }
    if (options.depths.empty()) options.depths = {2, 3, 4, 5};
    if (options.widths.empty()) options.widths = {1, 2, 3, 5};
    if (options.scorings.empty()) options.scorings = {"unanchored", "anchored"};
}

void settle_depth(PaperRunOptions& options) {
    if (options.quick) {
        if (options.scorings.empty()) options.scorings = {"unanchored"};
        if (options.games == 0) options.games = 40;
        if (options.minutes == 0) options.minutes = 9.5;
    }
    if (options.depths.empty()) options.depths = {3, 4, 5};
    if (options.widths.empty()) options.widths = {3};
    if (options.scorings.empty()) options.scorings = {"unanchored", "anchored"};
}

void check_values(const PaperRunOptions& options) {
    for (const int depth : options.depths) {
        if (depth < 1 || depth > 12) usage_error("--depth", "depths are 1 to 12");
    }
    for (const int width : options.widths) {
        if (width < 1 || width > 256) usage_error("--width", "widths are 1 to 256");
    }
}

void add_run_options(Command& command, PaperRunOptions& options, const char* papers_games) {
    command
        .add_option("folder", options.folder, "logs, tables and plots; the same folder continues")
        ->required();
    command.add_flag("--quick", options.quick, "a small part that ends within 10 minutes");
    command.add_option("--minutes", options.minutes, "stop after so long and report")
        ->range(0.01, 1e6);
    command
        .add_option("--depth", options.depths, "S, plies; may be repeated (default: the paper's)")
        ->one_at_a_time();
    command.add_option("--width", options.widths, "W; may be repeated (default: the paper's)")
        ->one_at_a_time();
    command.add_option("--scoring", options.scorings, "unanchored, anchored (default: both)")
        ->one_at_a_time()
        ->one_of({"unanchored", "anchored"});
    command
        .add_option("--games", options.games,
                    std::string("of each pairing (default: ") + papers_games + ")")
        ->range(1, 1e6);
    command.add_option("--model", options.weights, "model file (default: the embedded model)");
    command.add_option("--stockfish", options.stockfish, "the opponent's program")
        ->capture_default_str();
    command.add_option("--seed", options.seed, "of the order of openings")->capture_default_str();
    command
        .add_option("--concurrency", options.concurrency, "games at once (default: one per core)")
        ->range(1, 1024);
    add_json_flag(command, options.json);
}

}  // namespace solis::cli
