// solis embed: embeddings of positions, for numpy or as text.
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/byte_sink.h"
#include "solis/base/byte_source.h"
#include "solis/base/progress.h"
#include "solis/chess/fen.h"
#include "solis/cli/commands.h"
#include "solis/data/formats/format.h"
#include "solis/data/position_walk.h"
#include "solis/lab/label/epd_source.h"
#include "solis/model/embedded_model.h"
#include "solis/model/scorer.h"
#include "solis/nn/io/npz.h"

namespace solis::cli {
namespace {

struct EmbedOptions {
    std::string input;
    std::string format;
    std::string model;
    std::string out = "-";
    Existing existing = Existing::Refuse;
    std::uint64_t limit = 0;
};

// One row per position, in the order of the input.
struct Embeddings {
    std::vector<float> z;
    std::vector<float> scores;
    std::vector<float> probabilities;
    std::vector<std::int64_t> keys;
    std::string tsv;

    [[nodiscard]] std::size_t rows() const { return scores.size(); }
};

Result<std::unique_ptr<data::GameSource>> open_positions(const EmbedOptions& options) {
    const std::string extension = std::filesystem::path(options.input).extension().string();
    const bool is_list = options.format.empty() && (options.input == "-" || extension == ".fen" ||
                                                    extension == ".epd" || extension == ".txt");
    if (options.format == "epd" || is_list) {
        auto bytes = open_input(options.input);
        if (!bytes) return tl::unexpected(bytes.error());
        return lab::make_epd_source(options.input, std::move(*bytes));
    }
    std::optional<data::Format> format;
    if (!options.format.empty()) {
        const auto named = data::format_from_name(options.format);
        if (!named) return tl::unexpected(named.error());
        format = *named;
    }
    return data::open_import({options.input}, format, 1);
}

void add_row(const chess::Position& position, model::Scorer& scorer, bool as_text,
             Embeddings& rows) {
    const std::size_t at = rows.z.size();
    rows.z.resize(at + scorer.dims());
    const std::span<float> z = std::span(rows.z).subspan(at);
    scorer.embed(position, z);
    const float score = scorer.model().axis->score(z);
    rows.scores.push_back(score);
    rows.probabilities.push_back(
        static_cast<float>(scorer.win_probability(static_cast<double>(score))));
    rows.keys.push_back(static_cast<std::int64_t>(position.key()));
    if (!as_text) return;
    rows.tsv += fmt::format("{}\t{:.6f}\t{:.6f}", chess::to_fen(position), score,
                            rows.probabilities.back());
    for (const float value : z) rows.tsv += fmt::format("\t{:.6f}", value);
    rows.tsv += '\n';
    rows.z.resize(at);  // the text holds it
}

Result<Embeddings> embed_all(const EmbedOptions& options, model::Scorer& scorer, bool as_text,
                             Console& console) {
    auto source = open_positions(options);
    if (!source) return tl::unexpected(source.error());
    Embeddings rows;
    if (as_text) {
        rows.tsv = "fen\tscore\twin_probability";
        for (std::size_t i = 0; i < scorer.dims(); ++i) rows.tsv += fmt::format("\tz{}", i);
        rows.tsv += '\n';
    }
    Progress progress(console, "embedding", options.limit, "positions");
    data::LabelledGame game;
    while (options.limit == 0 || rows.rows() < options.limit) {
        const auto more = (*source)->next(game);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        data::walk_positions(game, [&](const chess::Position& position, const auto&) {
            if (options.limit == 0 || rows.rows() < options.limit) {
                add_row(position, scorer, as_text, rows);
            }
        });
        progress.update(rows.rows());
    }
    for (const std::string& error : (*source)->report().first_errors) console.warn(error);
    if (rows.rows() == 0) return fail(fmt::format("'{}' has no position", options.input));
    return rows;
}

Result<void> write(const EmbedOptions& options, Embeddings rows, std::size_t dims, bool as_text) {
    if (as_text) {
        auto sink = create_sink(options.out, options.existing);
        if (!sink) return tl::unexpected(sink.error());
        if (auto ok = (*sink)->write(rows.tsv); !ok) return ok;
        return (*sink)->finish();
    }
    const std::size_t count = rows.rows();
    return nn::write_npz(options.out,
                         {{"embeddings", {{count, dims}, std::move(rows.z)}},
                          {"scores", {{count}, std::move(rows.scores)}},
                          {"win_probabilities", {{count}, std::move(rows.probabilities)}},
                          {"keys", {{count}, std::move(rows.keys)}}},
                         options.existing);
}

ExitCode run_embed(const EmbedOptions& options, Console& console) {
    if (auto ok = check_output(options.out, options.existing); !ok)
        return console.error(ok.error());
    auto model = model::load_model_or_default(options.model);
    if (!model) return console.error(model.error());
    auto scorer = model::Scorer::from(std::move(*model));
    if (!scorer) return console.error(scorer.error());
    const bool as_text = std::filesystem::path(options.out).extension() != ".npz";
    auto rows = embed_all(options, *scorer, as_text, console);
    if (!rows) return console.error(rows.error());
    const std::size_t count = rows->rows();
    if (auto ok = write(options, std::move(*rows), scorer->dims(), as_text); !ok) {
        return console.error(ok.error());
    }
    console.note("{} positions, {} dimensions", count, scorer->dims());
    return ExitCode::Ok;
}

}  // namespace

void add_embed(Command& parent, Session& session) {
    const auto options = std::make_shared<EmbedOptions>();
    Command* command = parent.add_subcommand("embed", "write embeddings as .npz or .tsv");
    command->add_option("input", options->input, "FEN or EPD list, PGN, or any dataset; - is stdin")
        ->required();
    command->add_option("--format", options->format, "of the input: epd, pgn, text, ...");
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--out", options->out, ".npz for numpy, otherwise text; - is stdout")
        ->capture_default_str();
    add_force_flag(*command, options->existing);
    command->add_option("--limit", options->limit, "positions at most, 0 for all");
    command->callback(
        [options, &session] { session.exit_code = run_embed(*options, session.console); });
}

}  // namespace solis::cli
