// solis.rate: ratings from results, PGN files and logs of matches.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <pybind11/stl.h>

#include "python/src/common.h"
#include "solis/lab/rating/bayes_elo.h"
#include "solis/lab/rating/distributions.h"
#include "solis/lab/rating/record_results.h"

namespace solis::python {
namespace {

struct PyRating {
    std::string name;
    double elo = 0, error_model = 0, error_pairs = 0;
    bool anchored = false;
    lab::Tally total;
};

struct PyRatings {
    std::vector<PyRating> players;    // strongest first
    std::vector<std::size_t> places;  // of players: their numbers in the table
    lab::Ratings ratings;

    [[nodiscard]] std::size_t number_of(const std::string& name) const {
        for (std::size_t i = 0; i < players.size(); ++i) {
            if (players[i].name == name) return places[i];
        }
        raise("there is no player '" + name + "'");
    }
};

lab::HalfPoints result_of(const py::handle object) {
    if (py::isinstance<py::str>(object)) {
        const auto text = py::cast<std::string>(object);
        const auto points = lab::half_points(chess::result_from_string(text));
        if (!points) raise("result '" + text + "', expected '1-0', '1/2-1/2' or '0-1'");
        return *points;
    }
    if (!py::isinstance<py::float_>(object) && !py::isinstance<py::int_>(object)) {
        throw py::type_error("a result is text like '1-0', or White's points 0, 0.5 or 1");
    }
    const auto points = py::cast<double>(object);
    if (points == 0) return lab::HalfPoints::Loss;
    if (points == 0.5) return lab::HalfPoints::Draw;
    if (points == 1) return lab::HalfPoints::Win;
    raise("White has " + std::to_string(points) + " points, expected 0, 0.5 or 1");
}

// One triple (White, Black, result).
lab::PlayedGame game_of(const py::handle object) {
    if (!py::isinstance<py::tuple>(object) && !py::isinstance<py::list>(object)) {
        throw py::type_error("a game is (white, black, result)");
    }
    const auto parts = py::reinterpret_borrow<py::sequence>(object);
    if (parts.size() != 3) raise("a game is (white, black, result)");
    const py::object white = parts[0], black = parts[1], result = parts[2];
    if (!py::isinstance<py::str>(white) || !py::isinstance<py::str>(black)) {
        throw py::type_error("the name of a player is a str");
    }
    lab::PlayedGame game;
    game.white = py::cast<std::string>(white);
    game.black = py::cast<std::string>(black);
    game.white_result = result_of(result);
    if (game.white == game.black) raise("'" + game.white + "' plays against itself");
    return game;
}

bool is_path(const py::handle object) {
    return py::isinstance<py::str>(object) || py::hasattr(object, "__fspath__");
}

lab::ResultTable from_files(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        if (path == "-" || path.empty()) raise("'" + path + "' is no file");
    }
    const py::gil_scoped_release release;
    return value_of(lab::read_results(paths)).table;
}

lab::ResultTable read_table(const py::object& results) {
    if (is_path(results)) return from_files({to_path(results)});
    if (!py::isinstance<py::iterable>(results)) {
        throw py::type_error("results are paths, or (white, black, result) for each game");
    }
    std::vector<std::string> paths;
    std::vector<lab::PlayedGame> games;
    for (const py::handle item : results) {
        if (is_path(item)) {
            paths.push_back(to_path(py::reinterpret_borrow<py::object>(item)));
        } else {
            games.push_back(game_of(item));
        }
        if ((paths.size() + games.size()) % 4096 == 0) check_signals();
    }
    if (!paths.empty() && !games.empty()) raise("either paths or games, not both");
    if (!paths.empty()) return from_files(paths);
    lab::ResultTable table;
    lab::add_games(table, games);
    return table;
}

lab::RatingOptions options_of(const lab::ResultTable& table,
                              const std::map<std::string, double>& anchors, double prior_draws,
                              bool fit_advantage, bool fit_draw_elo) {
    lab::RatingOptions options;
    options.fit_advantage = fit_advantage;
    options.fit_draw_elo = fit_draw_elo;
    if (!(prior_draws >= 0 && prior_draws <= 1e6)) {
        raise("prior_draws is " + std::to_string(prior_draws) + ", expected 0 to 1000000");
    }
    options.prior_draws = prior_draws;
    for (const auto& [name, elo] : anchors) {
        const auto found = std::find(table.names().begin(), table.names().end(), name);
        if (found == table.names().end()) raise("anchor '" + name + "' played no game");
        if (!(std::abs(elo) <= 10'000)) raise("anchor '" + name + "': no rating up to 10000");
        options.anchors.push_back({static_cast<std::size_t>(found - table.names().begin()), elo});
    }
    return options;
}

PyRatings to_ratings(const lab::ResultTable& table, lab::Ratings ratings, double confidence) {
    PyRatings out;
    const double width = lab::interval_width(confidence);
    for (std::size_t i = 0; i < table.names().size(); ++i) out.places.push_back(i);
    std::stable_sort(out.places.begin(), out.places.end(),
                     [&](std::size_t a, std::size_t b) { return ratings.elo[a] > ratings.elo[b]; });
    for (const std::size_t i : out.places) {
        out.players.push_back({table.names()[i], ratings.elo[i],
                               width * ratings.standard_error(i, lab::ErrorSource::Model),
                               width * ratings.standard_error(i, lab::ErrorSource::Pairs),
                               static_cast<bool>(ratings.anchored[i]), table.total_of(i)});
    }
    out.ratings = std::move(ratings);
    return out;
}

PyRatings rate(const py::object& results, const std::map<std::string, double>& anchors,
               double confidence, double prior_draws, bool fit_advantage, bool fit_draw_elo) {
    if (!(confidence > 0 && confidence < 1)) raise("confidence is not between 0 and 1");
    const lab::ResultTable table = read_table(results);
    const auto options = options_of(table, anchors, prior_draws, fit_advantage, fit_draw_elo);
    const py::gil_scoped_release release;
    if (table.names().empty()) raise("there is no game with a result");
    return to_ratings(table, value_of(lab::rate(table, options)), confidence);
}

void bind_rows(py::module_& module) {
    py::class_<PyRating>(module, "Rating", py::is_final(), "A player's rating.")
        .def_readonly("name", &PyRating::name)
        .def_readonly("elo", &PyRating::elo)
        .def_readonly("error_model", &PyRating::error_model,
                      "Half width of the interval, if games are independent.")
        .def_readonly("error_pairs", &PyRating::error_pairs,
                      "Half width of the interval, from the scatter of pairs of games.")
        .def_readonly("anchored", &PyRating::anchored)
        .def_property_readonly("games", [](const PyRating& r) { return r.total.games(); })
        .def_property_readonly("wins", [](const PyRating& r) { return r.total.wins(); })
        .def_property_readonly("draws", [](const PyRating& r) { return r.total.draws(); })
        .def_property_readonly("losses", [](const PyRating& r) { return r.total.losses(); })
        .def("__repr__", [](const PyRating& r) {
            return "<solis.Rating " + r.name + ": " +
                   std::to_string(static_cast<long>(std::lround(r.elo))) + " +- " +
                   std::to_string(static_cast<long>(std::lround(r.error_pairs))) + ">";
        });
}

}  // namespace

void bind_ratings(py::module_& module) {
    bind_rows(module);
    py::class_<PyRatings>(module, "Ratings", py::is_final(), "Ratings, strongest player first.")
        .def_readonly("players", &PyRatings::players)
        .def_property_readonly(
            "advantage", [](const PyRatings& r) { return r.ratings.model.advantage; },
            "Of White, in points of the model.")
        .def_property_readonly("draw_elo",
                               [](const PyRatings& r) { return r.ratings.model.draw_elo; })
        .def(
            "superiority",
            [](const PyRatings& r, const std::string& a, const std::string& b) {
                return r.ratings.superiority(r.number_of(a), r.number_of(b),
                                             lab::ErrorSource::Pairs);
            },
            py::arg("a"), py::arg("b"), "Probability that a is stronger than b.")
        .def("__len__", [](const PyRatings& r) { return r.players.size(); })
        .def("__getitem__",
             [](const PyRatings& r, const std::string& name) {
                 for (const PyRating& player : r.players) {
                     if (player.name == name) return player;
                 }
                 throw py::key_error(name);
             })
        .def("__iter__", [](const PyRatings& r) { return py::iter(py::cast(r.players)); });
    module.def("rate", &rate, py::arg("results"), py::kw_only(),
               py::arg("anchors") = std::map<std::string, double>(), py::arg("confidence") = 0.95,
               py::arg("prior_draws") = 2.0, py::arg("fit_advantage") = false,
               py::arg("fit_draw_elo") = false,
               "Ratings by the BayesElo model.\n\n"
               "results are the path of a PGN file or of a log of a match, several of them, or "
               "games as (white, black, result) with '1-0', '1/2-1/2', '0-1' or White's points. "
               "anchors gives players known ratings; without them the mean is 0.");
}

}  // namespace solis::python
