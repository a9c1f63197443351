// Boards coloured by what pieces and squares are worth.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "solis/analysis/explain/explanation.h"
#include "solis/atlas/draw/canvas.h"

namespace solis::analysis {
namespace {

using atlas::Anchor;
using atlas::Canvas;

using atlas::Pixel;
using atlas::Theme;

constexpr double kSquare = 62, kLeft = 44, kTop = 84, kBoardGap = 60;

// Filled shapes for both sides: the colour tells them apart, as on a board.
std::string_view glyph(chess::Piece piece) {
    switch (type_of(piece)) {
        case chess::PieceType::King:
            return "\u265a";
        case chess::PieceType::Queen:
            return "\u265b";
        case chess::PieceType::Rook:
            return "\u265c";
        case chess::PieceType::Bishop:
            return "\u265d";
        case chess::PieceType::Knight:
            return "\u265e";
        default:
            return "\u265f";
    }
}

atlas::Color between(const atlas::Color& a, const atlas::Color& b, double part) {
    return {a.r + part * (b.r - a.r), a.g + part * (b.g - a.g), a.b + part * (b.b - a.b), 1};
}

struct Board {
    double left;
    std::string title;
    std::array<std::optional<double>, 64> values{};

    [[nodiscard]] Pixel corner(int square) const {
        return {left + (square % 8) * kSquare, kTop + (7 - square / 8) * kSquare};
    }
    [[nodiscard]] Pixel center(int square) const {
        const Pixel at = corner(square);
        return {at.x + kSquare / 2, at.y + kSquare / 2};
    }
    [[nodiscard]] double largest() const {
        double most = 1e-6;
        for (const auto& value : values) most = std::max(most, std::abs(value.value_or(0)));
        return most;
    }
};

void draw_square(Canvas& canvas, const Theme& theme, const Board& board, int square,
                 chess::Piece piece) {
    const bool dark = (square / 8 + square % 8) % 2 == 0;
    const atlas::Color plain = between(theme.background, theme.faint, dark ? 0.34 : 0.14);
    const auto& value = board.values[static_cast<std::size_t>(square)];
    const double strength = value ? std::abs(*value) / board.largest() : 0;
    const atlas::Color tint = theme.scale[value.value_or(0) > 0 ? theme.scale.size() - 1 : 1];
    const Pixel at = board.corner(square), middle = board.center(square);
    canvas.rectangle({at.x, at.y, kSquare, kSquare},
                     between(plain, tint, 0.9 * std::sqrt(strength)));
    if (piece == chess::Piece::None) return;
    const bool white = color_of(piece) == chess::Color::White;
    const Pixel base{middle.x, at.y + 41};
    // A rim in the other colour, so that it stands out on every square.
    for (const auto& [dx, dy] :
         {Pixel{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-.7, -.7}, {.7, .7}, {-.7, .7}, {.7, -.7}}) {
        canvas.text({base.x + 1.2 * dx, base.y + 1.2 * dy}, glyph(piece),
                    {38, white ? atlas::Color{0.1, 0.1, 0.1, 1} : atlas::Color{1, 1, 1, 1},
                     Anchor::Middle});
    }
    canvas.text(
        base, glyph(piece),
        {38, white ? atlas::Color{1, 1, 1, 1} : atlas::Color{0.1, 0.1, 0.1, 1}, Anchor::Middle});
    if (!value) return;
    canvas.rectangle({at.x + 8, at.y + kSquare - 15, kSquare - 16, 13},
                     theme.background.with_alpha(0.8));
    canvas.text({middle.x, at.y + kSquare - 4.5}, fmt::format("{:+.2f}", *value),
                {10.5, theme.ink, Anchor::Middle, true});
}

void draw_board(Canvas& canvas, const Theme& theme, const Board& board,
                const chess::Position& position) {
    canvas.text({board.left, kTop - 12}, board.title, {13, theme.ink, Anchor::Start, true});
    for (int square = 0; square < 64; ++square) {
        draw_square(canvas, theme, board, square, position.piece_on(chess::square_at(square)));
    }
    for (int i = 0; i < 8; ++i) {
        const std::string file(1, static_cast<char>('a' + i));
        canvas.text({board.left + (i + 0.5) * kSquare, kTop + 8 * kSquare + 16}, file,
                    {11, theme.faint, Anchor::Middle});
        canvas.text({board.left - 8, kTop + (7.5 - i) * kSquare + 4}, fmt::format("{}", i + 1),
                    {11, theme.faint, Anchor::End});
    }
}

void draw_move(Canvas& canvas, const Theme& theme, const Board& board, chess::Move move,
               double strength) {
    const Pixel start = board.center(chess::index(move.from()));
    const Pixel goal = board.center(chess::index(move.to()));
    const double length = std::hypot(goal.x - start.x, goal.y - start.y);
    const double dx = (goal.x - start.x) / length, dy = (goal.y - start.y) / length;
    // Both pieces stay in sight.
    const Pixel from{start.x + 16 * dx, start.y + 16 * dy};
    const Pixel to{goal.x - 12 * dx, goal.y - 12 * dy};
    const atlas::Color color = theme.path.with_alpha(strength);
    const Pixel neck{to.x - 17 * dx, to.y - 17 * dy};
    canvas.line(std::array{from, neck}, 6, color);
    canvas.polygon(std::array{to, Pixel{neck.x + 10 * dy, neck.y - 10 * dx},
                              Pixel{neck.x - 10 * dy, neck.y + 10 * dx}},
                   color);
}

void draw_legend(Canvas& canvas, const Theme& theme, const Explanation& explained, double y) {
    std::string moves = "Best moves:";
    for (std::size_t i = 0; i < std::min<std::size_t>(5, explained.moves.size()); ++i) {
        moves += fmt::format("   {} {:.1f} %", explained.moves[i].san,
                             100 * explained.moves[i].win_probability);
    }
    canvas.text({kLeft, y}, moves, {12, theme.ink});
    const double x = kLeft + 8 * kSquare + kBoardGap;
    canvas.rectangle({x, y - 11, 13, 13}, theme.scale.back());
    canvas.text({x + 19, y}, "helps White", {11.5, theme.ink});
    canvas.rectangle({x + 120, y - 11, 13, 13}, theme.scale[1]);
    canvas.text({x + 139, y}, "helps Black (projection on the axis)", {11.5, theme.ink});
}

}  // namespace

Result<std::string> draw_explanation(const Explanation& explained, const chess::Position& position,
                                     const ExplanationPicture& picture) {
    const auto theme = atlas::theme_from_name(picture.theme);
    if (!theme) return tl::unexpected(theme.error());
    const double width = kLeft + 16 * kSquare + kBoardGap + 24, height = kTop + 8 * kSquare + 60;
    const auto canvas =
        picture.png ? atlas::make_png_canvas(width, height, picture.scale, theme->background)
                    : atlas::make_svg_canvas(width, height, theme->background);
    Board pieces{kLeft, "What each piece adds, and the best moves", {}};
    Board squares{
        kLeft + 8 * kSquare + kBoardGap, "What its square adds, against any other square", {}};
    for (const ExplainedPiece& piece : explained.pieces) {
        const auto at = static_cast<std::size_t>(chess::index(piece.square));
        pieces.values[at] = piece.worth;
        squares.values[at] = piece.square_worth;
    }
    canvas->text({kLeft, 34}, "What moves the projection", {18, theme->ink, Anchor::Start, true});
    canvas->text({kLeft, 54},
                 fmt::format("projection {:+.3f}, White wins {:.1f} %, {} to move", explained.score,
                             100 * explained.win_probability,
                             position.side_to_move() == chess::Color::White ? "White" : "Black"),
                 {12, theme->faint});
    draw_board(*canvas, *theme, pieces, position);
    draw_board(*canvas, *theme, squares, position);
    for (std::size_t i = std::min(picture.arrows, explained.moves.size()); i-- > 0;) {
        draw_move(*canvas, *theme, pieces, explained.moves[i].move, i == 0 ? 0.85 : 0.4);
    }
    draw_legend(*canvas, *theme, explained, kTop + 8 * kSquare + 44);
    return canvas->finish();
}

}  // namespace solis::analysis
