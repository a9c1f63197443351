// Lists, stores, other formats, and the trees of plans from any of them.
#include "solis/cli/label/inputs.h"

#include <optional>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/cli/damage.h"
#include "solis/data/formats/epd_source.h"
#include "solis/data/formats/format.h"
#include "solis/data/store/reader.h"
#include "solis/data/store/writer.h"
#include "solis/lab/label/plan_tree_source.h"
#include "solis/model/open.h"

namespace solis::cli {
namespace {

using SourceResult = Result<std::unique_ptr<data::GameSource>>;

bool is_position_list(const LabelInputs& inputs) {
    if (!inputs.format.empty()) return inputs.format == "epd";
    const std::string_view name = inputs.files[0];
    for (const std::string_view end : {".epd", ".fen", ".epd.zst", ".fen.zst"}) {
        if (name.ends_with(end)) return true;
    }
    return false;
}

bool is_store(const LabelInputs& inputs) {
    return inputs.format.empty() && inputs.files[0].ends_with(data::kStoreExtension);
}

SourceResult open_store(const LabelInputs& inputs) {
    if (inputs.files.size() > 1) return fail("only one store can be read");
    auto file = data::StoreFile::open(inputs.files[0]);
    if (!file) return tl::unexpected(file.error());
    std::optional<data::Split> split;
    if (!inputs.split.empty()) {
        const auto named = data::split_from_name(inputs.split);
        if (!named) return tl::unexpected(named.error());
        split = *named;
    }
    return std::make_unique<data::StoreSource>(std::move(*file), on_damage(inputs.skip_damaged),
                                               split);
}

SourceResult open_files(const LabelInputs& inputs) {
    if (is_store(inputs)) return open_store(inputs);
    if (!inputs.split.empty()) return fail("--split is for stores", "import the input first");
    if (is_position_list(inputs)) {
        if (inputs.files.size() > 1) return fail("only one list of positions can be read");
        auto bytes = open_input(inputs.files[0]);
        if (!bytes) return tl::unexpected(bytes.error());
        return data::make_epd_source(inputs.files[0], std::move(*bytes));
    }
    std::optional<data::Format> format;
    if (!inputs.format.empty()) {
        const auto named = data::format_from_name(inputs.format);
        if (!named) return tl::unexpected(named.error());
        format = *named;
    }
    return data::open_import(inputs.files, format, 1);
}

}  // namespace

void add_label_inputs(Command& command, LabelInputs& inputs) {
    command.add_option("--from", inputs.files,
                       "label these games or positions instead of self-play");
    command.add_option(
        "--format", inputs.format,
        "of --from: epd (FEN or EPD lines) or a format of 'solis data import'; stores are known by "
        "their name (.sgt)");
    command.add_option("--split", inputs.split,
                       "of a store: only its train, validation or test games");
    add_skip_damaged_flag(command, inputs.skip_damaged);
    command.add_option("--plan-trees", inputs.plan_trees,
                       "plan one position of each game and label so many of the positions that "
                       "were embedded, instead of the game");
    command
        .add_option("--plan-embeddings", inputs.plan_embeddings, "positions embedded by each plan")
        ->positive()
        ->capture_default_str();
    command.add_option("--model", inputs.model, "model that plans (default: the embedded one)");
}

SourceResult open_label_inputs(const LabelInputs& inputs, std::uint64_t seed) {
    auto files = open_files(inputs);
    if (!files || inputs.plan_trees == 0) return files;
    auto model = model::open(inputs.model);
    if (!model) return tl::unexpected(model.error());
    lab::PlanTreeOptions options;
    options.embeddings = inputs.plan_embeddings;
    options.per_plan = inputs.plan_trees;
    options.seed = Seed{seed};
    return lab::make_plan_tree_source(std::move(*files), std::move(*model), options);
}

std::string describe_inputs(const LabelInputs& inputs) {
    std::string text = fmt::format("{}", fmt::join(inputs.files, " "));
    if (!inputs.split.empty()) text += fmt::format(" ({} games)", inputs.split);
    if (inputs.plan_trees > 0) {
        text = fmt::format("{} positions from each plan of {} embeddings by {} in {}",
                           inputs.plan_trees, inputs.plan_embeddings,
                           inputs.model.empty() ? "the default model" : inputs.model, text);
    }
    return text;
}

}  // namespace solis::cli
