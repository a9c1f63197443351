// solis embed: embeddings of positions, for numpy or as text.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "solis/base/byte_sink.h"
#include "solis/base/byte_source.h"
#include "solis/base/progress.h"
#include "solis/base/thread_pool.h"
#include "solis/chess/fen.h"
#include "solis/cli/commands.h"
#include "solis/cli/damage.h"
#include "solis/cli/model_choice.h"
#include "solis/data/formats/epd_source.h"
#include "solis/data/formats/format.h"
#include "solis/data/position_walk.h"
#include "solis/data/store/reader.h"
#include "solis/nn/io/npz.h"

namespace solis::cli {
namespace {

// Positions that go through the encoder together.
constexpr std::size_t kEmbedAtOnce = 512;

struct EmbedOptions {
    std::string input;
    std::string format;
    ModelChoice model;
    std::string out = "-";
    Existing existing = Existing::Refuse;
    std::uint64_t limit = 0;
    bool skip_damaged = false;
    int threads = 0;
};

// One row per position, in the order of the input. Everything is White's view.
struct Embeddings {
    std::vector<float> z;
    std::vector<float> scores;
    std::vector<float> probabilities;
    std::vector<float> labels;          // win probabilities; NaN without a label
    std::vector<std::int32_t> endings;  // 1: score and probability are the endings encoder's
    std::vector<std::int64_t> keys;
    std::vector<std::string> fens;

    [[nodiscard]] std::size_t rows() const { return scores.size(); }
};

Result<std::unique_ptr<data::GameSource>> open_games(const EmbedOptions& options) {
    const std::string extension = std::filesystem::path(options.input).extension().string();
    const bool is_list = options.format.empty() && (options.input == "-" || extension == ".fen" ||
                                                    extension == ".epd" || extension == ".txt");
    if (options.format == "epd" || is_list) {
        auto bytes = solis::open_input(options.input);
        if (!bytes) return tl::unexpected(bytes.error());
        return data::make_epd_source(options.input, std::move(*bytes));
    }
    if (options.format == "store" || (options.format.empty() && extension == ".sgt")) {
        auto store = data::StoreSource::open(options.input, on_damage(options.skip_damaged));
        if (!store) return tl::unexpected(store.error());
        return std::move(*store);
    }
    std::optional<data::Format> format;
    if (!options.format.empty()) {
        const auto named = data::format_from_name(options.format);
        if (!named) return tl::unexpected(named.error());
        format = *named;
    }
    return data::open_import({options.input}, format, 1);
}

// Collects positions and embeds them in batches.
class BatchEmbedder {
  public:
    BatchEmbedder(const model::LoadedModel& model, int threads)
        : model_(model), evaluator_(model.make_evaluator()) {
        evaluator_->use_threads(ThreadPool(static_cast<std::size_t>(threads)).threads());
    }

    void add(const chess::Position& position, data::Score label) {
        const bool white = position.side_to_move() == chess::Color::White;
        const double p = label.win_probability();  // NaN without one
        rows_.labels.push_back(static_cast<float>(white ? p : 1 - p));
        batch_.push_back(position);
        if (batch_.size() == kEmbedAtOnce) flush();
    }
    [[nodiscard]] std::size_t added() const { return rows_.labels.size(); }
    [[nodiscard]] Embeddings finish() {
        flush();
        return std::move(rows_);
    }

  private:
    void flush() {
        const std::size_t first = rows_.rows(), end = first + batch_.size();
        rows_.z.resize(end * model_.dims());
        rows_.scores.resize(end);
        evaluator_->embed(batch_, std::span(rows_.z).subspan(first * model_.dims()));
        evaluator_->score(batch_, std::span(rows_.scores).subspan(first));
        for (std::size_t i = 0; i < batch_.size(); ++i) {
            const chess::Position& position = batch_[i];
            rows_.probabilities.push_back(
                static_cast<float>(model_.win_probability(rows_.scores[first + i], position)));
            rows_.endings.push_back(model_.has_ending(position) ? 1 : 0);
            rows_.keys.push_back(static_cast<std::int64_t>(position.key()));
            rows_.fens.push_back(chess::to_fen(position));
        }
        batch_.clear();
    }

    const model::LoadedModel& model_;
    std::unique_ptr<model::Evaluator> evaluator_;
    std::vector<chess::Position> batch_;
    Embeddings rows_;
};

Result<Embeddings> embed_all(const EmbedOptions& options, const model::LoadedModel& model,
                             Console& console) {
    auto source = open_games(options);
    if (!source) return tl::unexpected(source.error());
    BatchEmbedder embedder(model, options.threads);
    Progress progress(console, "embedding", options.limit, "positions");
    data::LabelledGame game;
    const auto wants_more = [&] {
        return !model.has_failed() && (options.limit == 0 || embedder.added() < options.limit);
    };
    while (wants_more()) {
        const auto more = (*source)->next(game);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        data::walk_positions(
            game, [&](const chess::Position& position, const data::PositionLabel& label) {
                if (wants_more()) embedder.add(position, label.score);
            });
        progress.update(embedder.added());
    }
    for (const std::string& error : (*source)->report().first_errors) console.warn(error);
    if (embedder.added() == 0) return fail(fmt::format("'{}' has no position", options.input));
    return embedder.finish();
}

Result<void> write_text(const EmbedOptions& options, const Embeddings& rows, std::size_t dims) {
    auto sink = create_sink(options.out, options.existing);
    if (!sink) return tl::unexpected(sink.error());
    std::string line = "fen\tscore\twin_probability";
    for (std::size_t i = 0; i < dims; ++i) line += fmt::format("\tz{}", i);
    if (auto ok = (*sink)->write(line += '\n'); !ok) return ok;
    for (std::size_t row = 0; row < rows.rows(); ++row) {
        line = fmt::format("{}\t{:.6f}\t{:.6f}", rows.fens[row], rows.scores[row],
                           rows.probabilities[row]);
        for (std::size_t i = 0; i < dims; ++i) {
            line += fmt::format("\t{:.6f}", rows.z[row * dims + i]);
        }
        if (auto ok = (*sink)->write(line += '\n'); !ok) return ok;
    }
    return (*sink)->finish();
}

Result<void> write_arrays(const EmbedOptions& options, Embeddings rows,
                          const model::AdvantageAxis& axis) {
    const std::size_t count = rows.rows(), dims = axis.dims();
    return nn::write_npz(options.out,
                         {{"embeddings", {{count, dims}, std::move(rows.z)}},
                          {"scores", {{count}, std::move(rows.scores)}},
                          {"win_probabilities", {{count}, std::move(rows.probabilities)}},
                          {"labels", {{count}, std::move(rows.labels)}},
                          {"endings", {{count}, std::move(rows.endings)}},
                          {"keys", {{count}, std::move(rows.keys)}},
                          {"fens", {{count}, std::move(rows.fens)}},
                          {"axis", {{dims}, axis.direction}},
                          {"mu_white", {{dims}, axis.mu_white}},
                          {"mu_black", {{dims}, axis.mu_black}}},
                         options.existing);
}

ExitCode run_embed(const EmbedOptions& options, Console& console) {
    if (auto ok = check_output(options.out, options.existing); !ok)
        return console.error(ok.error());
    auto model = open_model(options.model);
    if (!model) return console.error(model.error());
    if (!(*model)->embeds()) {
        return console.error({fmt::format("'{}' has scores and no embeddings", options.model.path),
                              "it is a teacher's net; name a model that was trained by solis"});
    }
    auto rows = embed_all(options, **model, console);
    if (auto ok = (*model)->status(); !ok) return console.error(ok.error());
    if (!rows) return console.error(rows.error());
    const std::size_t count = rows->rows(), dims = (*model)->dims();
    const auto endings = std::count(rows->endings.begin(), rows->endings.end(), 1);
    const bool as_text = std::filesystem::path(options.out).extension() != ".npz";
    if (auto ok = as_text ? write_text(options, *rows, dims)
                          : write_arrays(options, std::move(*rows), (*model)->axis());
        !ok) {
        return console.error(ok.error());
    }
    console.note("{} positions, {} dimensions", count, dims);
    if (endings > 0) {
        console.note("{} of the scores are the endings encoder's; embeddings are not", endings);
    }
    return ExitCode::Ok;
}

}  // namespace

void add_embed(Command& parent, Session& session) {
    const auto options = std::make_shared<EmbedOptions>();
    Command* command = parent.add_subcommand("embed", "write embeddings as .npz or .tsv");
    command
        ->add_option("input", options->input,
                     "FEN or EPD list, PGN, store (.sgt) or any dataset; - is stdin")
        ->required();
    command->add_option("--format", options->format, "of the input: epd, store, pgn, text, ...");
    add_model_options(*command, options->model);
    command->add_option("--out", options->out, ".npz for numpy, otherwise text; - is stdout")
        ->capture_default_str();
    add_force_flag(*command, options->existing);
    add_skip_damaged_flag(*command, options->skip_damaged);
    command->add_option("--limit", options->limit, "positions at most, 0 for all");
    command->add_option("--threads", options->threads, "of slow encoders; 0: one per core")
        ->range(0, 256)
        ->capture_default_str();
    command->callback(
        [options, &session] { session.exit_code = run_embed(*options, session.console); });
}

}  // namespace solis::cli
