// solis.Position: an immutable position with its legal moves and notations.
#include <optional>

#include <pybind11/stl.h>

#include "python/src/common.h"
#include "python/src/moves.h"
#include "solis/chess/board_text.h"
#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"
#include "solis/chess/san.h"
#include "solis/data/inputs/tokenizer.h"

namespace solis::python {

using chess::Position;

Position to_position(py::handle object) {
    if (py::isinstance<Position>(object)) return py::cast<const Position&>(object);
    if (!py::isinstance<py::str>(object)) {
        throw py::type_error("a position is a solis.Position or a FEN, not " +
                             std::string(Py_TYPE(object.ptr())->tp_name));
    }
    const auto text = py::cast<std::string>(object);
    return text == "startpos" ? Position::start() : value_of(chess::parse_fen(text));
}

Positions to_positions(const py::object& object) {
    Positions positions;
    if (py::isinstance<py::str>(object) || py::isinstance<Position>(object)) {
        positions.single = true;
        positions.list.push_back(to_position(object));
        return positions;
    }
    if (py::isinstance<py::bytes>(object) || !py::isinstance<py::iterable>(object)) {
        throw py::type_error("expected a position or several of them, not " +
                             std::string(Py_TYPE(object.ptr())->tp_name));
    }
    constexpr std::size_t kItemsBetweenLooks = 4096;
    for (const py::handle item : object) {
        try {
            positions.list.push_back(to_position(item));
        } catch (const Failure& failure) {
            raise("position " + std::to_string(positions.list.size()) + ": " +
                      failure.error().message,
                  failure.error().hint);
        }
        if (positions.list.size() % kItemsBetweenLooks == 0) check_signals();
    }
    return positions;
}

chess::Move to_move(const Position& position, const std::string& text) {
    // parse_san takes coordinates, too, but castling as king takes rook is UCI's alone.
    if (const auto move = chess::parse_uci(position, text)) return *move;
    return value_of(chess::parse_san(position, text));
}

namespace {

std::vector<std::string> legal_moves(const Position& position, const std::string& notation) {
    if (notation != "uci" && notation != "san") {
        raise("notation is '" + notation + "', expected 'uci' or 'san'");
    }
    std::vector<std::string> moves;
    for (const chess::Move move : chess::legal_moves(position)) {
        moves.push_back(notation == "san" ? chess::to_san(position, move)
                                          : chess::to_uci(position, move));
    }
    return moves;
}

Position after(const Position& position, const py::args& moves) {
    Position child = position;
    for (const py::handle move : moves) {
        if (!py::isinstance<py::str>(move)) throw py::type_error("a move is text: 'e2e4' or 'Nf3'");
        child = child.after(to_move(child, py::cast<std::string>(move)));
    }
    return child;
}

std::optional<std::string> piece_at(const Position& position, const std::string& square) {
    if (square.size() != 2 || square[0] < 'a' || square[0] > 'h' || square[1] < '1' ||
        square[1] > '8') {
        raise("'" + square + "' is no square, expected 'a1' to 'h8'");
    }
    const chess::Piece piece =
        position.piece_on(chess::make_square(square[0] - 'a', square[1] - '1'));
    if (piece == chess::Piece::None) return std::nullopt;
    return std::string(1, chess::to_char(piece));
}

std::size_t hash_of(const Position& position) {
    const auto counters = static_cast<std::uint64_t>(position.halfmove_clock()) << 32 |
                          static_cast<std::uint64_t>(position.fullmove_number());
    return static_cast<std::size_t>(position.key() ^ counters * 0x9E3779B97F4A7C15u);
}

py::array_t<std::uint8_t> tokens_of(const Position& position, const std::string& name) {
    const auto tokenizer = data::tokenizer_from_name(name);
    if (!tokenizer) raise("there is no tokenizer '" + name + "'", "'deepmind' or 'reference'");
    const data::Tokens tokens = data::tokenize(position, *tokenizer);
    return to_array(std::vector<std::uint8_t>(tokens.begin(), tokens.end()));
}

void bind_properties(py::class_<Position>& type) {
    type.def_property_readonly(
            "fen", [](const Position& p) { return chess::to_fen(p); }, "All six fields.")
        .def_property_readonly("key", &Position::key,
                               "64-bit Zobrist key, Polyglot's; counters do not count.")
        .def_property_readonly(
            "turn",
            [](const Position& p) {
                return p.side_to_move() == chess::Color::White ? "white" : "black";
            },
            "'white' or 'black': the side to move.")
        .def_property_readonly("halfmove_clock", &Position::halfmove_clock,
                               "Plies since the last capture or pawn move.")
        .def_property_readonly("fullmove_number", &Position::fullmove_number,
                               "Number of the next move.")
        .def_property_readonly("in_check", &Position::in_check,
                               "Whether the side to move is in check.");
}

void bind_moves(py::class_<Position>& type) {
    type.def("legal_moves", &legal_moves, py::arg("notation") = "uci",
             "All legal moves as text, 'uci' (e2e4) or 'san' (e4).")
        .def("after", &after, "The position after one or more moves, each in UCI or SAN notation.")
        .def(
            "san",
            [](const Position& p, const std::string& move) {
                return chess::to_san(p, to_move(p, move));
            },
            py::arg("move"), "A legal move in standard algebraic notation.")
        .def(
            "uci",
            [](const Position& p, const std::string& move) {
                return chess::to_uci(p, to_move(p, move));
            },
            py::arg("move"), "A legal move in UCI notation.")
        .def(
            "is_legal",
            [](const Position& p, const std::string& move) {
                return chess::parse_uci(p, move).has_value() ||
                       !chess::match_san(p, move).is_none();
            },
            py::arg("move"), "Whether the text is a legal move in either notation.")
        .def(
            "outcome",
            [](const Position& p) -> py::object {
                const auto outcome = chess::outcome(p, chess::Claims::Ignored);
                return outcome ? outcome_tuple(*outcome) : py::none();
            },
            "None while the game goes on, else (reason, 'white', 'black' or None for a draw). "
            "Repetition needs a solis.Game.");
}

}  // namespace

py::object outcome_tuple(const chess::Outcome& outcome) {
    const py::object winner =
        !outcome.winner ? py::object(py::none())
                        : py::str(*outcome.winner == chess::Color::White ? "white" : "black");
    return py::make_tuple(std::string(chess::name_of(outcome.reason)), winner);
}

void bind_positions(py::module_& module) {
    py::class_<Position> type(module, "Position", py::is_final(),
                              "A legal position. It never changes: after() gives a new one.");
    type.def(py::init([](const py::object& fen) { return to_position(fen); }),
             py::arg("fen") = "startpos", "From a FEN of 4 to 6 fields, or 'startpos'.");
    bind_properties(type);
    bind_moves(type);
    type.def("piece_at", &piece_at, py::arg("square"),
             "'P' to 'K' for White, 'p' to 'k' for Black, None for an empty square.")
        .def("tokens", &tokens_of, py::arg("tokenizer") = "deepmind",
             "The 77 tokens a transformer sees, as uint8.")
        .def("color_flipped", &Position::color_flipped,
             "Colours swapped and the board turned upside down.")
        .def("__eq__",
             [](const Position& a, const py::object& b) -> py::object {
                 if (!py::isinstance<Position>(b)) {
                     return py::reinterpret_borrow<py::object>(Py_NotImplemented);
                 }
                 return py::bool_(a == py::cast<const Position&>(b));
             })
        .def("__hash__", &hash_of)
        .def("__str__", [](const Position& p) { return chess::draw_board(p); })
        .def("__repr__", [](const Position& p) { return "Position('" + chess::to_fen(p) + "')"; })
        .def("__reduce__", [](const py::object& self) {
            const py::str fen(chess::to_fen(py::cast<const Position&>(self)));
            return py::make_tuple(self.attr("__class__"), py::make_tuple(fen));
        });
    module.def(
        "legal_moves",
        [](const py::object& position, const std::string& notation) {
            return legal_moves(to_position(position), notation);
        },
        py::arg("position"), py::arg("notation") = "uci",
        "All legal moves of a Position or FEN as text, 'uci' or 'san'.");
}

}  // namespace solis::python
