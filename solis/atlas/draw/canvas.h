// A surface to draw on: PNG through cairo, or SVG.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "solis/atlas/draw/color.h"

namespace solis::atlas {

// In pixels from the upper left corner.
struct Pixel {
    double x = 0;
    double y = 0;
};

struct Box {
    double x = 0, y = 0, width = 0, height = 0;

    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] Pixel center() const { return {x + width / 2, y + height / 2}; }
    [[nodiscard]] bool contains(Pixel p) const {
        return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom();
    }
};

struct Dot {
    Pixel at;
    Color color;
};

enum class Anchor { Start, Middle, End };

struct TextStyle {
    double size = 12;  // pixels
    Color color;
    Anchor anchor = Anchor::Start;
    bool bold = false;
    bool halo = false;  // an outline in the background's colour, to be read over points
};

// What a text takes, roughly: the fonts of different viewers differ.
[[nodiscard]] double text_width(std::string_view text, double size);

class Canvas {
  public:
    virtual ~Canvas() = default;

    // Many small round points at once, all inside the box.
    virtual void dots(std::span<const Dot> dots, double radius, const Box& box) = 0;
    virtual void circle(Pixel center, double radius, const Color& fill, const Color& edge,
                        double edge_width) = 0;
    virtual void line(std::span<const Pixel> points, double width, const Color& color,
                      bool dashed = false) = 0;
    virtual void polygon(std::span<const Pixel> points, const Color& fill) = 0;
    virtual void rectangle(const Box& box, const Color& fill) = 0;
    // `at` is on the base line.
    virtual void text(Pixel at, std::string_view text, const TextStyle& style) = 0;

    // The finished file's bytes.
    [[nodiscard]] virtual Result<std::string> finish() = 0;
};

// `scale` pixels of the image per pixel of the drawing. Needs the module for cairo: where that
// cannot be loaded, nothing is drawn and finish() says why.
[[nodiscard]] std::unique_ptr<Canvas> make_png_canvas(double width, double height, double scale,
                                                      const Color& background);
// Text stays text, lines stay lines; beyond some thousand the dots become one embedded image.
[[nodiscard]] std::unique_ptr<Canvas> make_svg_canvas(double width, double height,
                                                      const Color& background);

[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace solis::atlas
