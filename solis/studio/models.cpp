// Opening models under their names.
#include "solis/studio/models.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/model/embedded_model.h"
#include "solis/model/open.h"

namespace solis::studio {
namespace {

Result<StudioModel> open_model(const ModelSource& source) {
    std::string read;
    std::string_view bytes = model::embedded_model_bytes();
    if (!source.path.empty()) {
        auto file = read_regular_file(source.path);
        if (!file) return tl::unexpected(file.error());
        read = std::move(*file);
        bytes = read;
    }
    const std::string context = fmt::format("'{}'", source.path);
    auto file = model::parse_model(bytes);
    if (!file) return fail_in(context, file.error());
    const std::string kind(file->encoder_kind());
    const std::size_t parameters = file->parameter_count();
    auto loaded = model::prepare(std::move(*file));
    if (!loaded) return fail_in(context, loaded.error());
    auto space = analysis::SpaceModel::of(*loaded, bytes, source.id);
    if (!space) return fail_in(context, space.error());
    return StudioModel{source.id, kind, bytes.size(), parameters, *loaded, std::move(*space)};
}

}  // namespace

Result<ModelShelf> ModelShelf::open(const std::vector<ModelSource>& required,
                                    const std::vector<ModelSource>& optional) {
    ModelShelf shelf;
    for (const ModelSource& source : required) {
        if (shelf.find(source.id) != nullptr && !shelf.models_.empty()) {
            return fail(fmt::format("two models are called '{}'", source.id),
                        "give them different names: --model NAME=FILE");
        }
        auto model = open_model(source);
        if (!model) return tl::unexpected(model.error());
        shelf.models_.push_back(std::make_shared<const StudioModel>(std::move(*model)));
    }
    for (const ModelSource& source : optional) {
        if (shelf.find(source.id) != nullptr) continue;
        auto model = open_model(source);
        if (!model) continue;
        const bool known = std::any_of(
            shelf.models_.begin(), shelf.models_.end(),
            [&](const auto& other) { return other->space.hash() == model->space.hash(); });
        if (known) continue;
        shelf.models_.push_back(std::make_shared<const StudioModel>(std::move(*model)));
    }
    return shelf;
}

const StudioModel* ModelShelf::find(std::string_view id) const {
    if (id.empty()) return models_.empty() ? nullptr : models_.front().get();
    const auto found = std::find_if(models_.begin(), models_.end(),
                                    [&](const auto& model) { return model->id == id; });
    return found == models_.end() ? nullptr : found->get();
}

std::vector<ModelSource> installed_models() {
    namespace fs = std::filesystem;
    std::vector<ModelSource> found;
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    if (error) return found;
    // Beside the program, where it is installed, and in the project it was built in.
    for (const fs::path& place : {folder / "models", folder.parent_path() / "share/solis/models",
                                  folder.parent_path().parent_path() / "models"}) {
        for (fs::directory_iterator entry(place, error), end; !error && entry != end;
             entry.increment(error)) {
            if (entry->path().extension() != ".safetensors") continue;
            found.push_back({entry->path().stem().string(), entry->path().string()});
        }
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
    return found;
}

}  // namespace solis::studio
