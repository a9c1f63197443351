// The models a server has: the embedded one, those it was given and those it found.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solis/analysis/space/space_model.h"
#include "solis/model/evaluator.h"

namespace solis::studio {

struct StudioModel {
    std::string id;
    std::string kind;  // "swift" or "transformer"
    std::size_t bytes = 0;
    std::size_t parameters = 0;
    std::shared_ptr<const model::LoadedModel> loaded;
    analysis::SpaceModel space;

    [[nodiscard]] const model::LoadedModel& model() const { return *loaded; }
};

struct ModelSource {
    std::string id;
    std::string path;  // empty: the embedded model
};

class ModelShelf {
  public:
    // In the order given; the first is the default. Those of `optional` are left out where they
    // cannot be opened, or are the same as one before.
    [[nodiscard]] static Result<ModelShelf> open(const std::vector<ModelSource>& required,
                                                 const std::vector<ModelSource>& optional);

    // An empty id is the default; null where there is none of that name. What is returned lives as
    // long as the shelf.
    [[nodiscard]] const StudioModel* find(std::string_view id) const;
    [[nodiscard]] const std::vector<std::shared_ptr<const StudioModel>>& all() const {
        return models_;
    }

  private:
    std::vector<std::shared_ptr<const StudioModel>> models_;
};

// Model files in the folders where an installed program keeps them.
[[nodiscard]] std::vector<ModelSource> installed_models();

}  // namespace solis::studio
