// PNG through cairo. A module of its own, see atlas/draw/png_canvas.cpp.
#include <cairo.h>
#include <fmt/format.h>

#include "solis/atlas/draw/canvas.h"

namespace solis::atlas {
namespace {

struct SurfaceDeleter {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
struct ContextDeleter {
    void operator()(cairo_t* context) const { cairo_destroy(context); }
};

cairo_status_t append_bytes(void* out, const unsigned char* data, unsigned size) {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(data), size);
    return CAIRO_STATUS_SUCCESS;
}

class CairoCanvas final : public Canvas {
  public:
    CairoCanvas(double width, double height, double scale, const Color& background)
        : surface_(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(width * scale),
                                              static_cast<int>(height * scale))),
          context_(cairo_create(surface_.get())),
          background_(background) {
        cairo_scale(cr(), scale, scale);
        use(background);
        cairo_paint(cr());
        cairo_set_line_join(cr(), CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_cap(cr(), CAIRO_LINE_CAP_ROUND);
    }

    void dots(std::span<const Dot> dots, double radius, const Box&) override {
        for (const Dot& dot : dots) {
            use(dot.color);
            arc(dot.at, radius);
            cairo_fill(cr());
        }
    }
    void circle(Pixel center, double radius, const Color& fill, const Color& edge,
                double edge_width) override {
        arc(center, radius);
        use(fill);
        cairo_fill_preserve(cr());
        use(edge);
        cairo_set_line_width(cr(), edge_width);
        edge_width > 0 ? cairo_stroke(cr()) : cairo_new_path(cr());
    }
    void line(std::span<const Pixel> points, double width, const Color& color,
              bool dashed) override {
        trace(points);
        use(color);
        cairo_set_line_width(cr(), width);
        const double dashes[] = {4, 4};
        cairo_set_dash(cr(), dashes, dashed ? 2 : 0, 0);
        cairo_stroke(cr());
        cairo_set_dash(cr(), dashes, 0, 0);
    }
    void polygon(std::span<const Pixel> points, const Color& fill) override {
        trace(points);
        cairo_close_path(cr());
        use(fill);
        cairo_fill(cr());
    }
    void rectangle(const Box& box, const Color& fill) override {
        cairo_rectangle(cr(), box.x, box.y, box.width, box.height);
        use(fill);
        cairo_fill(cr());
    }
    void text(Pixel at, std::string_view text, const TextStyle& style) override {
        const std::string terminated(text);
        cairo_select_font_face(cr(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                               style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
        cairo_set_font_size(cr(), style.size);
        cairo_text_extents_t extents;
        cairo_text_extents(cr(), terminated.c_str(), &extents);
        if (style.anchor == Anchor::Middle) at.x -= extents.x_advance / 2;
        if (style.anchor == Anchor::End) at.x -= extents.x_advance;
        cairo_move_to(cr(), at.x, at.y);
        cairo_text_path(cr(), terminated.c_str());
        if (style.halo) {
            use(background_.with_alpha(0.85));
            cairo_set_line_width(cr(), 3.5);
            cairo_stroke_preserve(cr());
        }
        use(style.color);
        cairo_fill(cr());
    }

    Result<std::string> finish() override {
        std::string bytes;
        cairo_surface_flush(surface_.get());
        const cairo_status_t status =
            cairo_surface_write_to_png_stream(surface_.get(), append_bytes, &bytes);
        if (status != CAIRO_STATUS_SUCCESS) {
            return fail(
                fmt::format("the picture cannot be made: {}", cairo_status_to_string(status)));
        }
        return bytes;
    }

  private:
    [[nodiscard]] cairo_t* cr() const { return context_.get(); }
    void use(const Color& c) { cairo_set_source_rgba(cr(), c.r, c.g, c.b, c.a); }
    void arc(Pixel center, double radius) {
        cairo_new_path(cr());
        cairo_arc(cr(), center.x, center.y, radius, 0, 6.283185307179586);
    }
    void trace(std::span<const Pixel> points) {
        cairo_new_path(cr());
        for (const Pixel& p : points) cairo_line_to(cr(), p.x, p.y);
    }

    std::unique_ptr<cairo_surface_t, SurfaceDeleter> surface_;
    std::unique_ptr<cairo_t, ContextDeleter> context_;
    Color background_;
};

}  // namespace
}  // namespace solis::atlas

// The caller owns the canvas.
extern "C" solis::atlas::Canvas* solis_make_png_canvas(double width, double height, double scale,
                                                       const solis::atlas::Color& background) {
    return new solis::atlas::CairoCanvas(width, height, scale, background);
}
