// solis.Game and the reading of PGN files.
#include "python/src/game.h"

#include <mutex>

#include <pybind11/stl.h>

#include "python/src/moves.h"
#include "solis/base/byte_source.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/san.h"

namespace solis::python {

using chess::Position;

chess::Game to_game(const py::object& object) {
    if (py::isinstance<PyGame>(object)) return py::cast<const PyGame&>(object).game;
    return chess::Game(to_position(object));
}

namespace {

PyGame from_pgn(const chess::PgnGame& pgn) {
    PyGame game{chess::Game(pgn.start())};
    for (std::size_t i = 0; i < pgn.tag_count(); ++i) {
        game.tags.emplace_back(pgn.tag(i).name, pgn.tag(i).value);
    }
    for (auto i = chess::first_move(pgn); i != chess::PgnNode::kNone; i = pgn.node(i).next) {
        game.game.push(pgn.node(i).move);
    }
    game.result = chess::to_string(pgn.result());
    return game;
}

// Games of a PGN file one by one. Several Python threads may share it.
class PgnIterator {
  public:
    PgnIterator(std::string text, std::unique_ptr<ByteSource> source, bool skip_broken)
        : text_(std::move(text)),
          source_(source ? std::move(source) : memory_source(text_)),
          reader_(*source_),
          skip_broken_(skip_broken) {}

    PyGame next() {
        bool at_end = false;
        PyGame game;
        {
            const py::gil_scoped_release release;
            const std::lock_guard lock(mutex_);
            at_end = !read(game);
        }
        check_signals();
        if (at_end) throw py::stop_iteration();
        return game;
    }
    [[nodiscard]] std::uint64_t broken() {
        const std::lock_guard lock(mutex_);
        return broken_;
    }

  private:
    bool read(PyGame& game) {
        while (!ended_) {
            auto outcome = reader_.next(pgn_);
            if (!outcome) {
                ended_ = true;
                throw Failure(outcome.error());
            }
            if (*outcome == chess::PgnOutcome::Game) {
                game = from_pgn(pgn_);
                return true;
            }
            if (*outcome == chess::PgnOutcome::End) {
                ended_ = true;
                break;
            }
            ++broken_;
            if (!skip_broken_) {
                throw Failure({source_->name() + ", " + reader_.error().message,
                               "the next game can still be read; skip_broken=True leaves broken "
                               "games out"});
            }
        }
        return false;
    }

    std::mutex mutex_;
    const std::string text_;
    std::unique_ptr<ByteSource> source_;
    chess::PgnReader reader_;
    chess::PgnGame pgn_;
    bool skip_broken_;
    bool ended_ = false;
    std::uint64_t broken_ = 0;
};

std::unique_ptr<PgnIterator> read_pgn(const py::object& path, const py::object& text,
                                      bool skip_broken) {
    if (path.is_none() == text.is_none()) raise("read_pgn takes a path or text=..., one of them");
    if (!text.is_none()) {
        if (!py::isinstance<py::str>(text)) throw py::type_error("text is a str");
        return std::make_unique<PgnIterator>(py::cast<std::string>(text), nullptr, skip_broken);
    }
    const std::string name = to_path(path);
    if (name.empty() || name == "-") raise("'" + name + "' is no file", "pass text=... instead");
    return std::make_unique<PgnIterator>(std::string(), value_of(open_input(name)), skip_broken);
}

std::vector<std::string> moves_of(const PyGame& game, bool san) {
    std::vector<std::string> moves;
    const auto positions = game.game.positions();
    for (std::size_t i = 0; i < game.game.moves().size(); ++i) {
        const chess::Move move = game.game.moves()[i];
        moves.push_back(san ? chess::to_san(positions[i], move)
                            : chess::to_uci(positions[i], move));
    }
    return moves;
}

void push(PyGame& game, const py::args& moves) {
    for (const py::handle item : moves) {
        if (!py::isinstance<py::str>(item)) throw py::type_error("a move is text: 'e2e4' or 'Nf3'");
        game.game.push(to_move(game.game.position(), py::cast<std::string>(item)));
    }
}

std::string pop(PyGame& game) {
    if (game.game.moves().empty()) raise("the game has no move to take back");
    const chess::Move move = game.game.moves().back();
    game.game.pop();
    return chess::to_uci(game.game.position(), move);
}

py::object outcome(const PyGame& game, bool claims) {
    const auto ended = game.game.outcome(claims ? chess::Claims::Counted : chess::Claims::Ignored);
    return ended ? outcome_tuple(*ended) : py::none();
}

py::dict tags_of(const PyGame& game) {
    py::dict tags;
    for (const auto& [name, value] : game.tags) tags[py::str(name)] = py::str(value);
    return tags;
}

}  // namespace

void bind_games(py::module_& module) {
    py::class_<PyGame>(module, "Game", py::is_final(),
                       "A start position and the moves played: the history that repetition needs.")
        .def(py::init([](const py::object& start, const py::args& moves) {
                 PyGame game{chess::Game(to_position(start))};
                 push(game, moves);
                 return game;
             }),
             py::arg("start") = "startpos",
             "A game from a Position or FEN, with moves to be played at once.")
        .def("push", &push, "Plays moves, each in UCI or SAN notation.")
        .def("pop", &pop, "Takes the last move back and returns it.")
        .def_property_readonly("start", [](const PyGame& g) { return g.game.start(); })
        .def_property_readonly(
            "position", [](const PyGame& g) { return g.game.position(); }, "After the last move.")
        .def_property_readonly(
            "positions",
            [](const PyGame& g) {
                return std::vector<Position>(g.game.positions().begin(), g.game.positions().end());
            },
            "From the start to the last move: one more than moves.")
        .def_property_readonly(
            "moves", [](const PyGame& g) { return moves_of(g, false); }, "In UCI notation.")
        .def_property_readonly(
            "san", [](const PyGame& g) { return moves_of(g, true); },
            "In standard algebraic notation.")
        .def_property_readonly("tags", &tags_of, "The tags of a PGN game, as a dict.")
        .def_readonly("result", &PyGame::result, "'1-0', '0-1', '1/2-1/2' or '*'.")
        .def(
            "repetitions", [](const PyGame& g) { return g.game.repetitions(); },
            "How often the current position has occurred, this time included.")
        .def("outcome", &outcome, py::arg("claims") = false,
             "None while the game goes on, else (reason, 'white', 'black' or None for a draw).")
        .def("__len__", [](const PyGame& g) { return g.game.moves().size(); })
        .def("__repr__", [](const PyGame& g) {
            return "<solis.Game of " + std::to_string(g.game.moves().size()) + " plies, " +
                   g.result + ">";
        });
    py::class_<PgnIterator>(module, "PgnReader", py::is_final(),
                            "The games of a PGN text, one by one.")
        .def("__iter__", [](py::object self) { return self; })
        .def("__next__", &PgnIterator::next)
        .def_property_readonly("broken", &PgnIterator::broken, "Broken games met so far.");
    module.def("read_pgn", &read_pgn, py::arg("path") = py::none(), py::kw_only(),
               py::arg("text") = py::none(), py::arg("skip_broken") = false,
               "Iterates over the games of a PGN file (plain or zstd) or of text. A broken game "
               "raises, and iterating again goes on with the next one; skip_broken leaves it out.");
}

}  // namespace solis::python
