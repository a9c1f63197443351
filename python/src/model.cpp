// solis.Model and solis.load.
#include "python/src/model.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

#include <pybind11/stl.h>

#include "python/src/moves.h"
#include "solis/base/thread_pool.h"
#include "solis/chess/san.h"
#include "solis/model/embedded_model.h"
#include "solis/model/model_file.h"
#include "solis/model/nnue/loaded_nnue.h"
#include "solis/model/open.h"
#include "solis/model/scorer.h"

namespace solis::python {

using chess::Position;
using model::Evaluator;

namespace {

// Rows that one thread takes at a time. Fixed, so that results do not depend on their number.
constexpr std::size_t kRowsAtOnce = 128;
constexpr int kMostThreads = 256;
// How long to work between two looks for Ctrl-C.
constexpr std::chrono::milliseconds kBetweenLooks{50};

}  // namespace

std::unique_ptr<Evaluator> PyModel::take_evaluator() const {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            auto evaluator = std::move(idle_.back());
            idle_.pop_back();
            return evaluator;
        }
    }
    return loaded_->make_evaluator();
}

void PyModel::give_back(std::unique_ptr<Evaluator> evaluator) const {
    constexpr std::size_t kMostKept = 16;
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kMostKept) idle_.push_back(std::move(evaluator));
}

template <class Work>
void PyModel::in_batches(std::size_t rows, int threads, const Work& work) const {
    check_range("threads", threads, 0, kMostThreads);
    const std::size_t tasks = (rows + kRowsAtOnce - 1) / kRowsAtOnce;
    if (tasks == 0) return;
    const std::size_t wanted =
        threads == 0 ? std::max(1u, std::thread::hardware_concurrency()) : std::size_t(threads);
    ThreadPool pool(std::min(wanted, tasks));
    std::size_t at_once = pool.threads();
    for (std::size_t first = 0; first < tasks;) {
        const std::size_t count = std::min(at_once, tasks - first);
        const auto start = std::chrono::steady_clock::now();
        {
            const py::gil_scoped_release release;
            pool.run(count, [&](std::size_t task) {
                const std::size_t begin = (first + task) * kRowsAtOnce;
                auto evaluator = take_evaluator();
                work(*evaluator, begin, std::min(kRowsAtOnce, rows - begin));
                give_back(std::move(evaluator));
            });
        }
        check_signals();
        check(loaded_->status());
        first += count;
        if (std::chrono::steady_clock::now() - start < kBetweenLooks / 2) at_once *= 2;
    }
}

void PyModel::embed(const std::vector<Position>& positions, float* z, int threads) const {
    in_batches(positions.size(), threads,
               [&](Evaluator& evaluator, std::size_t begin, std::size_t count) {
                   evaluator.embed(std::span(positions).subspan(begin, count),
                                   std::span(z + begin * dims(), count * dims()));
               });
}

void PyModel::score(const std::vector<Position>& positions, float* scores, int threads) const {
    in_batches(positions.size(), threads,
               [&](Evaluator& evaluator, std::size_t begin, std::size_t count) {
                   evaluator.score(std::span(positions).subspan(begin, count),
                                   std::span(scores + begin, count));
               });
}

namespace {

// A command as one text; a list of words is quoted so that it is taken apart in the same places.
std::string to_command(const py::object& command) {
    if (command.is_none()) return {};
    if (py::isinstance<py::str>(command)) {
        auto text = py::cast<std::string>(command);
        if (text.empty()) raise("encoder_command is empty");
        return text;
    }
    if (!py::isinstance<py::list>(command) && !py::isinstance<py::tuple>(command)) {
        throw py::type_error("encoder_command is a str or a list of them");
    }
    std::string text;
    for (const py::handle word : command) {
        if (!py::isinstance<py::str>(word))
            throw py::type_error("a word of encoder_command is a str");
        text += text.empty() ? "\"" : " \"";
        for (const char c : py::cast<std::string>(word)) {
            if (c == '"' || c == '\\') text += '\\';
            text += c;
        }
        text += '"';
    }
    if (text.empty()) raise("encoder_command is empty");
    return text;
}

std::shared_ptr<PyModel> load_process(const std::string& file, const std::string& command,
                                      double timeout) {
    if (!(timeout > 0 && timeout <= 86'400)) raise("encoder_timeout is not 0 to 86400 seconds");
    const std::chrono::milliseconds patience(static_cast<long long>(timeout * 1000) + 1);
    const py::gil_scoped_release release;
    auto loaded = value_of(model::open_from({file, command, {patience, patience}}));
    return std::make_shared<PyModel>(std::move(loaded), std::filesystem::path(file).stem().string(),
                                     "process");
}

std::shared_ptr<PyModel> load(const py::object& path, const py::object& encoder_command,
                              double encoder_timeout) {
    const std::string file = path.is_none() ? std::string() : to_path(path);
    if (file.empty() && !path.is_none()) raise("the path of the model is empty");
    if (const std::string command = to_command(encoder_command); !command.empty()) {
        return load_process(file, command, encoder_timeout);
    }
    const py::gil_scoped_release release;
    const std::string name = file.empty() ? "default" : std::filesystem::path(file).stem().string();
    if (!file.empty() && model::is_nnue_file(file)) {
        return std::make_shared<PyModel>(value_of(model::open(file)), name, "nnue");
    }
    model::ModelFile contents = value_of(model::load_model_or_default(file));
    std::string kind(contents.encoder_kind());
    auto loaded = model::prepare(std::move(contents));
    if (!loaded && !file.empty()) {
        throw Failure({file + ": " + loaded.error().message, loaded.error().hint});
    }
    return std::make_shared<PyModel>(value_of(std::move(loaded)), name, std::move(kind));
}

void check_embeds(const PyModel& model) {
    if (model.loaded().embeds()) return;
    raise("'" + model.name() + "' has scores and no embeddings",
          "it is a teacher's net; load a model that was trained by solis");
}

// Memory of the caller for the result: float32, rows x dims, in C order, writeable and aligned.
py::array_t<float> checked_out(const py::object& out, std::size_t rows, std::size_t dims) {
    using Floats = py::array_t<float, py::array::c_style>;
    if (!py::isinstance<Floats>(out)) {
        throw py::type_error("out is no float32 array in C order");
    }
    auto array = py::reinterpret_borrow<Floats>(out);
    const bool fits = array.ndim() == 2 && array.shape(0) == static_cast<py::ssize_t>(rows) &&
                      array.shape(1) == static_cast<py::ssize_t>(dims);
    if (!fits) {
        raise("out has another shape than the result, " + std::to_string(rows) + " x " +
              std::to_string(dims));
    }
    const bool aligned = reinterpret_cast<std::uintptr_t>(array.data()) % alignof(float) == 0;
    if (!array.writeable() || !aligned) raise("out cannot be written to");
    return array;
}

py::object embed(const PyModel& model, const py::object& positions, int threads,
                 const py::object& out) {
    check_embeds(model);
    const Positions list = to_positions(positions);
    py::array_t<float> z = out.is_none() ? py::array_t<float>({list.list.size(), model.dims()})
                                         : checked_out(out, list.list.size(), model.dims());
    model.embed(list.list, z.mutable_data(), threads);
    if (!out.is_none() || !list.single) return z;
    return z.attr("reshape")(-1);
}

// One number for one position, an array for several.
template <class T>
py::object as_given(const Positions& list, std::vector<T> values) {
    if (list.single) return py::float_(static_cast<double>(values[0]));
    return to_array(std::move(values));
}

py::object score(const PyModel& model, const py::object& positions, int threads) {
    const Positions list = to_positions(positions);
    std::vector<float> scores(list.list.size());
    model.score(list.list, scores.data(), threads);
    return as_given(list, std::move(scores));
}

py::object win_probability(const PyModel& model, const py::object& positions, int threads) {
    const Positions list = to_positions(positions);
    std::vector<float> scores(list.list.size());
    model.score(list.list, scores.data(), threads);
    std::vector<double> p(scores.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = model.loaded().win_probability(scores[i], list.list[i]);
    }
    return as_given(list, std::move(p));
}

py::list rank(const PyModel& model, const py::object& object) {
    const Position position = to_position(object);
    std::vector<model::Scorer::RankedMove> ranked;
    {
        const py::gil_scoped_release release;
        ranked = model::Scorer(model.shared()).rank_moves(position);
        check(model.loaded().status());
    }
    py::list moves;
    for (const auto& move : ranked) {
        py::dict row;
        row["uci"] = chess::to_uci(position, move.move);
        row["san"] = chess::to_san(position, move.move);
        row["score"] = move.score;
        row["p"] = move.win_probability;
        row["finished"] = move.finished;
        moves.append(row);
    }
    return moves;
}

// A view of the model's own memory that cannot be written to and keeps the model alive.
py::array_t<float> view_of(std::span<const float> values, const py::object& owner) {
    py::array_t<float> array(static_cast<py::ssize_t>(values.size()), values.data(), owner);
    array.attr("setflags")(py::arg("write") = false);
    return array;
}

struct PyAxis {
    std::shared_ptr<PyModel> model;
    [[nodiscard]] const model::AdvantageAxis& axis() const { return model->loaded().axis(); }
};

struct PyCalibration {
    std::shared_ptr<PyModel> model;
    [[nodiscard]] const model::Calibration& curve() const { return model->loaded().calibration(); }
};

template <class Function>
py::object for_each_number(const py::object& numbers, const Function& function) {
    const py::array_t<double, py::array::c_style | py::array::forcecast> in(numbers);
    py::array_t<double> out(std::vector<py::ssize_t>(in.shape(), in.shape() + in.ndim()));
    std::transform(in.data(), in.data() + in.size(), out.mutable_data(), function);
    if (in.ndim() == 0) return py::float_(*out.data());
    return out;
}

void bind_axis(py::module_& module) {
    const auto vector = [](std::vector<float> model::AdvantageAxis::*member) {
        return [member](const py::object& self) {
            return view_of(py::cast<const PyAxis&>(self).axis().*member, self);
        };
    };
    py::class_<PyAxis>(module, "Axis", py::is_final(),
                       "The direction from 'Black wins' to 'White wins'. Arrays are views.")
        .def_property_readonly("direction", vector(&model::AdvantageAxis::direction),
                               "Of length 1: a score is its product with an embedding.")
        .def_property_readonly("mu_white", vector(&model::AdvantageAxis::mu_white),
                               "Mean embedding of positions that White wins.")
        .def_property_readonly("mu_black", vector(&model::AdvantageAxis::mu_black),
                               "Mean embedding of positions that Black wins.")
        .def("__repr__", [](const PyAxis& a) {
            return "<solis.Axis of " + std::to_string(a.axis().dims()) + " dimensions>";
        });
}

void bind_calibration(py::module_& module) {
    const auto view = [](const py::object& self) {
        return std::make_pair(&py::cast<const PyCalibration&>(self).curve(), self);
    };
    py::class_<PyCalibration>(module, "Calibration", py::is_final(),
                              "A rising curve from scores to win probabilities, in the view in "
                              "which the encoder sees (model.view).")
        .def_property_readonly(
            "scores",
            [view](const py::object& self) { return view_of(view(self).first->scores(), self); },
            "The scores of the knots.")
        .def_property_readonly(
            "probabilities",
            [view](const py::object& self) {
                return view_of(view(self).first->probabilities(), self);
            },
            "The win probabilities of the knots.")
        .def_property_readonly(
            "draw_score", [](const PyCalibration& c) { return c.curve().draw_score(); },
            "The score of an even game.")
        .def(
            "win_probability",
            [](const PyCalibration& c, const py::object& scores) {
                return for_each_number(scores,
                                       [&](double x) { return c.curve().win_probability(x); });
            },
            py::arg("scores"), "Of a number or an array of them.")
        .def(
            "score_at",
            [](const PyCalibration& c, const py::object& probabilities) {
                return for_each_number(probabilities,
                                       [&](double p) { return c.curve().score_at(p); });
            },
            py::arg("probabilities"), "The inverse.");
}

py::dict traits_of(const PyModel& model) {
    const model::EncoderTraits traits = model.loaded().traits();
    py::dict names;
    names["reads_counters"] = traits.reads_counters;
    names["positions_per_look"] = traits.positions_per_look;
    names["has_endings"] = model.loaded().has_endings();
    names["embeds"] = model.loaded().embeds();
    return names;
}

void bind_model_class(py::module_& module) {
    py::class_<PyModel, std::shared_ptr<PyModel>>(
        module, "Model", py::is_final(),
        "A model ready for use; solis.load makes it. Everything is White's view. Methods release "
        "the GIL and may be called from several threads.")
        .def_property_readonly("name", &PyModel::name, "Name of the file, or 'default'.")
        .def_property_readonly("encoder", &PyModel::kind, "'swift', 'transformer', ...")
        .def_property_readonly("dims", &PyModel::dims, "Dimensions of an embedding.")
        .def_property_readonly("traits", &traits_of, "What planners must know, as a dict.")
        .def_property_readonly(
            "view",
            [](const PyModel& m) {
                return m.loaded().readout().view() == model::View::Mover ? "mover" : "white";
            },
            "The side whose board the encoder sees: 'mover' or 'white'.")
        .def_property_readonly("axis", [](const std::shared_ptr<PyModel>& m) { return PyAxis{m}; })
        .def_property_readonly("calibration",
                               [](const std::shared_ptr<PyModel>& m) { return PyCalibration{m}; })
        .def("embed", &embed, py::arg("positions"), py::kw_only(), py::arg("threads") = 0,
             py::arg("out") = py::none(),
             "Embeddings of length 1 as float32: n x dims for several positions, dims for one. "
             "They are written into out, where it is given.")
        .def("score", &score, py::arg("positions"), py::kw_only(), py::arg("threads") = 0,
             "Projections on the axis: float32 array, or one float.")
        .def("win_probability", &win_probability, py::arg("positions"), py::kw_only(),
             py::arg("threads") = 0, "White's: float64 array, or one float.")
        .def("rank", &rank, py::arg("position"),
             "The legal moves, best for the side to move first, as dicts with uci, san, score, "
             "p and finished.")
        .def("__repr__", [](const PyModel& m) {
            return "<solis.Model '" + m.name() + "': " + m.kind() + ", " +
                   std::to_string(m.dims()) + " dimensions>";
        });
}

}  // namespace

py::array_t<float> embed_array(const PyModel& model, const std::vector<Position>& positions,
                               int threads) {
    check_embeds(model);
    py::array_t<float> z({positions.size(), model.dims()});
    model.embed(positions, z.mutable_data(), threads);
    return z;
}

std::shared_ptr<PyModel> to_model(const py::object& model) {
    if (py::isinstance<PyModel>(model)) return py::cast<std::shared_ptr<PyModel>>(model);
    if (!model.is_none()) throw py::type_error("model is what solis.load returns, or None");
    // Kept by the module, so that it goes with the interpreter.
    const py::object core = py::module_::import("solis._core");
    if (!py::hasattr(core, "_default_model"))
        core.attr("_default_model") = load(py::none(), py::none(), 60);
    return py::cast<std::shared_ptr<PyModel>>(core.attr("_default_model"));
}

void bind_models(py::module_& module) {
    bind_model_class(module);
    bind_axis(module);
    bind_calibration(module);
    module.def(
        "load", &load, py::arg("path") = py::none(), py::kw_only(),
        py::arg("encoder_command") = py::none(), py::arg("encoder_timeout") = 60.0,
        "The model in a file, or the default one that is part of the module. For an encoder "
        "of one's own (docs/encoders.md) the command that starts it, and how many seconds it "
        "may take to answer.");
}

}  // namespace solis::python
