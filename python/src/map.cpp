// solis.umap: maps of points, and where new points lie on them. solis.trace: the path of a game.
#include "solis/atlas/map.h"

#include <memory>

#include <pybind11/stl.h>

#include "python/src/game.h"
#include "python/src/model.h"
#include "solis/atlas/file/map_file.h"
#include "solis/base/thread_pool.h"
#include "solis/chess/san.h"

namespace solis::python {
namespace {

constexpr int kMostMapThreads = 256;

struct PyMap {
    std::shared_ptr<const atlas::Map> map;
};

py::array_t<float> to_places(std::span<const atlas::Place> places) {
    std::vector<float> values;
    values.reserve(2 * places.size());
    for (const atlas::Place& place : places) {
        values.push_back(place.x);
        values.push_back(place.y);
    }
    return to_array(std::move(values), {static_cast<py::ssize_t>(places.size()), 2});
}

std::size_t thread_count(int threads) {
    check_range("threads", threads, 0, kMostMapThreads);
    return static_cast<std::size_t>(threads);
}

// Asks Python from inside long work: whether Ctrl-C was pressed, and what the caller thinks of the
// progress. What Python raised is kept until the work has ended.
class PythonWatch {
  public:
    explicit PythonWatch(py::object progress) : progress_(std::move(progress)) {}

    bool operator()(std::string_view stage, double share) {
        const py::gil_scoped_acquire acquire;
        try {
            check_signals();
            if (progress_.is_none()) return true;
            const py::object answer = progress_(std::string(stage), share);
            return !answer.is(py::bool_(false));
        } catch (...) {
            raised_ = std::current_exception();
            return false;
        }
    }
    void rethrow() const {
        if (raised_) std::rethrow_exception(raised_);
    }

  private:
    py::object progress_;
    std::exception_ptr raised_;
};

PyMap fit(Matrix points, atlas::MapKind kind, const atlas::UmapOptions& options,
          std::vector<float> axis, int threads, const py::object& progress) {
    const std::size_t thread_total = thread_count(threads);
    PythonWatch watch(progress);
    std::shared_ptr<const atlas::Map> map;
    Error error;
    {
        const py::gil_scoped_release release;
        ThreadPool pool(thread_total);
        auto data = atlas::make_map(kind, std::move(points.values), points.columns, options, axis,
                                    pool, std::ref(watch));
        if (data) {
            map = std::make_shared<const atlas::Map>(std::move(*data), pool);
        } else {
            error = data.error();
        }
    }
    watch.rethrow();
    check_signals();
    if (!map) throw Failure(std::move(error));
    return {std::move(map)};
}

PyMap umap(const py::object& points, const std::string& kind, std::size_t n_neighbors,
           double min_dist, double spread, const std::string& metric, std::size_t n_epochs,
           double learning_rate, std::size_t negative_sample_rate, const std::string& init,
           std::uint64_t seed, int threads, const py::object& axis, const py::object& progress) {
    if (!progress.is_none() && PyCallable_Check(progress.ptr()) == 0) {
        throw py::type_error("progress cannot be called");
    }
    atlas::UmapOptions options;
    options.n_neighbors = n_neighbors;
    options.min_dist = min_dist;
    options.spread = spread;
    options.metric = value_of(atlas::metric_from_name(metric));
    options.n_epochs = n_epochs;
    options.learning_rate = learning_rate;
    options.negative_sample_rate = negative_sample_rate;
    if (init != "pca" && init != "spectral") {
        raise("init is '" + init + "', expected 'pca' or 'spectral'");
    }
    options.start = init == "pca" ? atlas::Start::Pca : atlas::Start::Spectral;
    options.seed = Seed{seed};
    const atlas::MapKind map_kind = value_of(atlas::map_kind_from_name(kind));
    Matrix matrix = to_matrix("points", points);
    if (matrix.single) raise("points are one row", "pass rows x columns");
    Matrix direction;
    if (!axis.is_none()) direction = to_matrix("axis", axis);
    if ((map_kind == atlas::MapKind::Axis) == axis.is_none()) {
        raise("axis=... belongs to kind='axis', and to no other");
    }
    if (!axis.is_none() && (!direction.single || direction.columns != matrix.columns)) {
        raise("the axis has another size than the points have columns");
    }
    check(atlas::check_options(options));
    return fit(std::move(matrix), map_kind, options, std::move(direction.values), threads,
               progress);
}

py::object transform(const PyMap& map, const py::object& points, int threads) {
    const Matrix matrix = to_matrix("points", points);
    const std::size_t dims = map.map->data().dims;
    if (matrix.columns != dims) {
        raise("points have " + std::to_string(matrix.columns) + " columns, the map's have " +
              std::to_string(dims));
    }
    // In shares of some tenths of a second, so that Ctrl-C is seen in between.
    constexpr std::size_t kRowsBetweenLooks = 1024;
    ThreadPool pool(thread_count(threads));
    std::vector<atlas::Place> places;
    for (std::size_t row = 0; row < matrix.rows; row += kRowsBetweenLooks) {
        const std::size_t count = std::min(kRowsBetweenLooks, matrix.rows - row);
        const std::span<const float> part =
            std::span(matrix.values).subspan(row * dims, count * dims);
        std::vector<atlas::Place> some;
        {
            const py::gil_scoped_release release;
            some = value_of(map.map->place_all({part, dims}, pool));
        }
        check_signals();
        places.insert(places.end(), some.begin(), some.end());
    }
    const py::array_t<float> array = to_places(places);
    if (matrix.single) return array.attr("reshape")(-1);
    return array;
}

// The positions of a game with what a model thinks of them, White's view.
struct PyTrace {
    std::vector<chess::Position> positions;
    std::vector<std::string> san;
    py::array embeddings, scores, p;
    py::object places;
};

PyTrace trace(const py::object& object, const py::object& model_object, const py::object& map,
              int threads) {
    const chess::Game game = to_game(object);
    const std::shared_ptr<PyModel> model = to_model(model_object);
    PyTrace out;
    out.positions.assign(game.positions().begin(), game.positions().end());
    for (std::size_t i = 0; i < game.moves().size(); ++i) {
        out.san.push_back(chess::to_san(out.positions[i], game.moves()[i]));
    }
    std::vector<float> scores(out.positions.size());
    model->score(out.positions, scores.data(), threads);
    std::vector<double> p(scores.size());
    for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = model->loaded().win_probability(scores[i], out.positions[i]);
    }
    out.embeddings = embed_array(*model, out.positions, threads);
    out.scores = to_array(std::move(scores));
    out.p = to_array(std::move(p));
    out.places = map.is_none() ? py::object(py::none())
                               : transform(py::cast<const PyMap&>(map), out.embeddings, threads);
    return out;
}

void bind_trace(py::module_& module) {
    py::class_<PyTrace>(module, "Trace", py::is_final(),
                        "A game as a path: one row for each position, White's view.")
        .def_readonly("positions", &PyTrace::positions)
        .def_readonly("san", &PyTrace::san, "The moves: one fewer than positions.")
        .def_readonly("embeddings", &PyTrace::embeddings, "float32, n x dims.")
        .def_readonly("scores", &PyTrace::scores, "float32: projections on the axis.")
        .def_readonly("p", &PyTrace::p, "float64: White's win probability.")
        .def_readonly("places", &PyTrace::places, "float32, n x 2, where a map was given.")
        .def("__len__", [](const PyTrace& t) { return t.positions.size(); });
    module.def("trace", &trace, py::arg("game"), py::kw_only(), py::arg("model") = py::none(),
               py::arg("map") = py::none(), py::arg("threads") = 0,
               "The path of a Game through the latent space, and on a map where one is given.");
}

}  // namespace

void bind_maps(py::module_& module) {
    py::class_<PyMap>(module, "Map", py::is_final(),
                      "A map of points in the plane; it does not change by placing points.")
        .def_property_readonly(
            "places", [](const PyMap& m) { return to_places(m.map->data().places); },
            "float32, n x 2: where the points it was fitted to lie.")
        .def_property_readonly(
            "kind", [](const PyMap& m) { return std::string(name_of(m.map->data().kind)); })
        .def_property_readonly("dims", [](const PyMap& m) { return m.map->data().dims; })
        .def("transform", &transform, py::arg("points"), py::kw_only(), py::arg("threads") = 0,
             "Where points lie on the map: n x 2. A point's place does not depend on the others.")
        .def(
            "save",
            [](const PyMap& m, const py::object& path) {
                const std::string name = to_path(path);
                const py::gil_scoped_release release;
                check(atlas::save_map(name, m.map->data()));
            },
            py::arg("path"), "Writes a map file, which solis.load_map and `solis map` read.")
        .def("__repr__", [](const PyMap& m) {
            return "<solis.Map of " + std::to_string(m.map->data().rows()) + " points>";
        });
    module.def("umap", &umap, py::arg("points"), py::kw_only(), py::arg("kind") = "umap",
               py::arg("n_neighbors") = 15, py::arg("min_dist") = 0.1, py::arg("spread") = 1.0,
               py::arg("metric") = "cosine", py::arg("n_epochs") = 0,
               py::arg("learning_rate") = 1.0, py::arg("negative_sample_rate") = 5,
               py::arg("init") = "pca", py::arg("seed") = 42, py::arg("threads") = 0,
               py::arg("axis") = py::none(), py::arg("progress") = py::none(),
               "Fits a map to rows of numbers, mostly embeddings; options as in umap-learn.\n\n"
               "kind is 'umap', 'pca' or 'axis' (which takes axis=model.axis.direction). The same "
               "for the same points, options and seed, whatever the number of threads. "
               "progress(stage, share) is called from time to time; False or Ctrl-C ends it.");
    module.def(
        "load_map",
        [](const py::object& path) {
            const std::string name = to_path(path);
            const py::gil_scoped_release release;
            ThreadPool pool(0);
            return PyMap{std::make_shared<const atlas::Map>(value_of(atlas::load_map(name)), pool)};
        },
        py::arg("path"), "The map in a file.");
    bind_trace(module);
}

}  // namespace solis::python
