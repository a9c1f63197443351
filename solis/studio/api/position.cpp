// Games and positions as JSON.
#include "solis/studio/api/position.h"

#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/chess/movegen.h"
#include "solis/chess/rules.h"
#include "solis/chess/san.h"

namespace solis::studio {
namespace {

constexpr std::size_t kMostMoves = 6000;  // longer than any game by the 75-move rule's usual run

}  // namespace

std::string Notation::fen(const chess::Position& position) const {
    return chess::to_fen(position,
                         chess960 ? chess::CastlingFen::Shredder : chess::CastlingFen::XFen);
}

std::string Notation::uci(const chess::Position& position, chess::Move move) const {
    return chess::to_uci(
        position, move,
        chess960 ? chess::CastlingNotation::KingTakesRook : chess::CastlingNotation::Automatic);
}

Json Notation::move(const chess::Position& position, chess::Move move, bool with_fen) const {
    Json json{{"uci", uci(position, move)}, {"san", chess::to_san(position, move)}};
    if (with_fen) json["fen"] = fen(position.after(move));
    return json;
}

Answer<chess::Move> read_api_move(const chess::Position& position, const std::string& text,
                                  const std::string& field) {
    if (const auto move = chess::parse_uci(position, text)) return *move;
    const auto move = chess::parse_san(position, text);
    if (!move) return refuse(move.error(), field);
    return *move;
}

ApiGame read_api_game(Fields& fields) {
    const std::string fen = fields.text("fen", std::string(chess::kStartFen));
    const std::vector<std::string> moves = fields.texts("moves", kMostMoves, 16);
    ApiGame result{chess::Game(), {fields.flag("chess960", false)}};
    if (!fields.ok()) return result;
    const auto start = chess::parse_fen(fen == "startpos" ? chess::kStartFen : fen);
    if (!start) {
        fields.refuse({422, start.error().message, start.error().hint, fields.path_of("fen")});
        return result;
    }
    result.game = chess::Game(*start);
    for (std::size_t i = 0; i < moves.size(); ++i) {
        const auto move = read_api_move(result.game.position(), moves[i],
                                        fmt::format("{}[{}]", fields.path_of("moves"), i));
        if (!move) {
            fields.refuse(move.error());
            return result;
        }
        result.game.push(*move);
    }
    return result;
}

std::vector<chess::Position> read_api_fens(Fields& fields, std::size_t most) {
    const std::vector<std::string> fens = fields.texts("fens", most);
    std::vector<chess::Position> positions;
    for (std::size_t i = 0; i < fens.size(); ++i) {
        const auto position = chess::parse_fen(fens[i]);
        if (!position) {
            fields.refuse({422, position.error().message, position.error().hint,
                           fmt::format("{}[{}]", fields.path_of("fens"), i)});
            return {};
        }
        positions.push_back(*position);
    }
    return positions;
}

Json position_json(const ApiGame& api_game) {
    const auto& [game, notation] = api_game;
    const chess::Position& position = game.position();
    Json line = Json::array();
    for (std::size_t i = 0; i < game.moves().size(); ++i) {
        line.push_back(notation.move(game.positions()[i], game.moves()[i], true));
    }
    Json moves = Json::array();
    for (const chess::Move move : chess::legal_moves(position)) {
        moves.push_back(notation.move(position, move, true));
    }
    Json json{{"start", notation.fen(game.start())},
              {"fen", notation.fen(position)},
              {"turn", position.side_to_move() == chess::Color::White ? "w" : "b"},
              {"check", position.in_check()},
              {"repetitions", game.repetitions()},
              {"result", nullptr},
              {"reason", nullptr}};
    if (const auto outcome = game.outcome(chess::Claims::Counted)) {
        json["result"] = !outcome->winner                          ? "1/2-1/2"
                         : *outcome->winner == chess::Color::White ? "1-0"
                                                                   : "0-1";
        json["reason"] = chess::name_of(outcome->reason);
    }
    json["line"] = std::move(line);
    json["moves"] = std::move(moves);
    return json;
}

// Scharnagl's numbering: the two bishops, the queen among what is left, then the knights, and the
// king between the rooks.
std::string chess960_fen(int number) {
    std::string row(8, ' ');
    const auto place = [&row](int free_square, char piece) {
        for (char& square : row) {
            if (square == ' ' && free_square-- == 0) {
                square = piece;
                return;
            }
        }
    };
    row[static_cast<std::size_t>(2 * (number % 4) + 1)] = 'b';
    number /= 4;
    row[static_cast<std::size_t>(2 * (number % 4))] = 'b';
    number /= 4;
    place(number % 6, 'q');
    number /= 6;
    constexpr std::array<std::pair<int, int>, 10> kKnights{
        {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}};
    const auto [first, second] = kKnights[static_cast<std::size_t>(number)];
    place(second, 'n');
    place(first, 'n');
    for (const char piece : {'r', 'k', 'r'}) place(0, piece);
    std::string white = row;
    for (char& piece : white) piece = static_cast<char>(piece - 'a' + 'A');
    const auto position =
        chess::parse_fen(fmt::format("{}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", row, white));
    return position ? chess::to_fen(*position, chess::CastlingFen::Shredder) : "";
}

double rounded(double value) { return std::round(value * 1e5) / 1e5; }

}  // namespace solis::studio
