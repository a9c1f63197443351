// solis.Model: a model ready for use, shared by Python threads.
#pragma once
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "python/src/common.h"
#include "solis/model/evaluator.h"

namespace solis::python {

class PyModel {
  public:
    PyModel(std::shared_ptr<const model::LoadedModel> loaded, std::string name, std::string kind)
        : loaded_(std::move(loaded)), name_(std::move(name)), kind_(std::move(kind)) {}

    [[nodiscard]] const model::LoadedModel& loaded() const { return *loaded_; }
    [[nodiscard]] const std::shared_ptr<const model::LoadedModel>& shared() const {
        return loaded_;
    }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& kind() const { return kind_; }
    [[nodiscard]] std::size_t dims() const { return loaded_->dims(); }

    // z: positions x dims. Called with the GIL, which it releases; Ctrl-C raises. 0 threads: one
    // per core.
    void embed(const std::vector<chess::Position>& positions, float* z, int threads) const;
    void score(const std::vector<chess::Position>& positions, float* scores, int threads) const;

  private:
    template <class Work>
    void in_batches(std::size_t rows, int threads, const Work& work) const;
    [[nodiscard]] std::unique_ptr<model::Evaluator> take_evaluator() const;
    void give_back(std::unique_ptr<model::Evaluator> evaluator) const;

    std::shared_ptr<const model::LoadedModel> loaded_;
    std::string name_;
    std::string kind_;  // of encoder
    // Evaluators are one thread's at a time and keep their buffers from call to call.
    mutable std::mutex mutex_;
    mutable std::vector<std::unique_ptr<model::Evaluator>> idle_;
};

// The model that Python means; the embedded one, opened once, for None.
[[nodiscard]] std::shared_ptr<PyModel> to_model(const py::object& model);

// The embeddings as an array of positions x dims; raises for a model that only scores.
[[nodiscard]] py::array_t<float> embed_array(const PyModel& model,
                                             const std::vector<chess::Position>& positions,
                                             int threads);

}  // namespace solis::python
