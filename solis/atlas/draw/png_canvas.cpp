// PNG through the module for cairo. Its static form would bring the libraries of X11 and of fonts
// into every program, for one of three kinds of pictures.
#include <fmt/format.h>

#include "solis/atlas/draw/canvas.h"
#include "solis/base/module.h"

namespace solis::atlas {
namespace {

class MissingCanvas final : public Canvas {
  public:
    explicit MissingCanvas(Error error) : error_(std::move(error)) {}

    void dots(std::span<const Dot>, double, const Box&) override {}
    void circle(Pixel, double, const Color&, const Color&, double) override {}
    void line(std::span<const Pixel>, double, const Color&, bool) override {}
    void polygon(std::span<const Pixel>, const Color&) override {}
    void rectangle(const Box&, const Color&) override {}
    void text(Pixel, std::string_view, const TextStyle&) override {}
    Result<std::string> finish() override { return tl::unexpected(error_); }

  private:
    Error error_;
};

}  // namespace

std::unique_ptr<Canvas> make_png_canvas(double width, double height, double scale,
                                        const Color& background) {
    using Make = Canvas* (*)(double, double, double, const Color&);
    const auto function = load_function("solis-cairo", "solis_make_png_canvas");
    if (!function) {
        return std::make_unique<MissingCanvas>(Error{
            fmt::format("PNG needs cairo, which cannot be loaded: {}", function.error().message),
            "install Debian's libcairo2 (to build the module: libcairo2-dev), or write .svg"});
    }
    const auto make = reinterpret_cast<Make>(*function);
    return std::unique_ptr<Canvas>(make(width, height, scale, background));
}

}  // namespace solis::atlas
