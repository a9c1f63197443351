// SVG by hand.
#include <array>

#include <fmt/format.h>

#include "solis/atlas/draw/canvas.h"
#include "solis/base/text.h"

namespace solis::atlas {
namespace {

constexpr std::size_t kMostVectorDots = 4000;
constexpr double kImageScale = 2;

std::string opacity(std::string_view name, const Color& color) {
    return color.a >= 1 ? std::string{} : fmt::format(" {}=\"{:.3g}\"", name, color.a);
}

class SvgCanvas final : public Canvas {
  public:
    SvgCanvas(double width, double height, const Color& background) : background_(background) {
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
            "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"DejaVu Sans, Verdana, sans-serif\">\n"
            "<rect width=\"100%\" height=\"100%\" fill=\"{2}\"/>\n",
            width, height, css(background));
    }

    void dots(std::span<const Dot> dots, double radius, const Box& box) override {
        // Where there is no cairo, the file is larger than it could be.
        if (dots.size() > kMostVectorDots && dots_as_image(dots, radius, box)) return;
        for (const Dot& dot : dots) {
            text_ += fmt::format(
                "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.2f}\" fill=\"{}\"{}/>\n", dot.at.x,
                dot.at.y, radius, css(dot.color), opacity("fill-opacity", dot.color));
        }
    }
    void circle(Pixel center, double radius, const Color& fill, const Color& edge,
                double edge_width) override {
        text_ += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.2f}\" fill=\"{}\"{} stroke=\"{}\" "
            "stroke-width=\"{:.2g}\"/>\n",
            center.x, center.y, radius, css(fill), opacity("fill-opacity", fill), css(edge),
            edge_width);
    }
    void line(std::span<const Pixel> points, double width, const Color& color,
              bool dashed) override {
        text_ += fmt::format(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\"{} stroke-width=\"{:.3g}\" "
            "stroke-linejoin=\"round\" stroke-linecap=\"round\"{}/>\n",
            coordinates(points), css(color), opacity("stroke-opacity", color), width,
            dashed ? " stroke-dasharray=\"4 4\"" : "");
    }
    void polygon(std::span<const Pixel> points, const Color& fill) override {
        text_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"{}/>\n", coordinates(points),
                             css(fill), opacity("fill-opacity", fill));
    }
    void rectangle(const Box& box, const Color& fill) override {
        text_ += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"{}/>\n",
            box.x, box.y, box.width, box.height, css(fill), opacity("fill-opacity", fill));
    }
    void text(Pixel at, std::string_view text, const TextStyle& style) override {
        constexpr std::array<std::string_view, 3> kAnchors{"start", "middle", "end"};
        text_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" fill=\"{}\"",
                             at.x, at.y, style.size, css(style.color));
        if (style.anchor != Anchor::Start) {
            text_ += fmt::format(" text-anchor=\"{}\"",
                                 kAnchors[static_cast<std::size_t>(style.anchor)]);
        }
        if (style.bold) text_ += " font-weight=\"bold\"";
        if (style.halo) {
            text_ += fmt::format(
                " stroke=\"{}\" stroke-width=\"3.5\" stroke-opacity=\"0.85\" "
                "stroke-linejoin=\"round\" paint-order=\"stroke\"",
                css(background_));
        }
        text_ += fmt::format(">{}</text>\n", escape_xml(text));
    }

    Result<std::string> finish() override { return text_ + "</svg>\n"; }

  private:
    static std::string coordinates(std::span<const Pixel> points) {
        std::string text;
        for (const Pixel& p : points) text += fmt::format("{:.1f},{:.1f} ", p.x, p.y);
        if (!text.empty()) text.pop_back();
        return text;
    }

    // Whether it could be drawn.
    [[nodiscard]] bool dots_as_image(std::span<const Dot> dots, double radius, const Box& box) {
        const auto image =
            make_png_canvas(box.width, box.height, kImageScale, background_.with_alpha(0));
        std::vector<Dot> moved(dots.begin(), dots.end());
        for (Dot& dot : moved) dot.at = {dot.at.x - box.x, dot.at.y - box.y};
        image->dots(moved, radius, {0, 0, box.width, box.height});
        const auto bytes = image->finish();
        if (!bytes) return false;
        text_ += fmt::format(
            "<image x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
            "href=\"data:image/png;base64,{}\"/>\n",
            box.x, box.y, box.width, box.height, base64(*bytes));
        return true;
    }

    Color background_;
    std::string text_;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(double width, double height, const Color& background) {
    return std::make_unique<SvgCanvas>(width, height, background);
}

double text_width(std::string_view text, double size) {
    std::size_t characters = 0;
    for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    return 0.6 * size * static_cast<double>(characters);
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned group = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            group =
                group << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            text += i + j <= bytes.size() ? kDigits[group >> (18 - 6 * j) & 63] : '=';
        }
    }
    return text;
}

}  // namespace solis::atlas
