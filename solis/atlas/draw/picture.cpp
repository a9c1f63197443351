// Where the parts of a picture stand.
#include "solis/atlas/draw/picture.h"

#include <algorithm>
#include <array>

#include "solis/atlas/draw/panel.h"

namespace solis::atlas {
namespace {

constexpr double kMargin = 24;
constexpr double kTitle = 58;       // above the panels
constexpr double kPanelTitle = 40;  // above each map of several
constexpr double kCurve = 110;      // height of a curve
constexpr double kCurveGap = 18, kCurveFoot = 36;
constexpr double kBarWidth = 110;  // the colour bar with its texts
constexpr double kGap = 22;        // between panels
constexpr double kAxis = 40;       // left of the first curve, for its numbers

bool has_paths(const MapPicture& picture) {
    return std::ranges::any_of(picture.panels,
                               [](const MapPanel& p) { return p.path.has_value(); });
}

struct Layout2D {
    double width, height;
    std::vector<Box> maps, curves;
    Box bar;
};

Layout2D arrange(const MapPicture& picture) {
    const bool paths = has_paths(picture);
    const double left = kMargin + (paths ? kAxis : 0);
    const double top = kTitle + (paths ? kPanelTitle : 0);
    Layout2D layout{};
    double x = left;
    for (std::size_t i = 0; i < picture.panels.size(); ++i) {
        layout.maps.push_back({x, top, picture.panel_width, picture.panel_height});
        layout.curves.push_back(
            {x, top + picture.panel_height + kCurveGap, picture.panel_width, kCurve});
        x += picture.panel_width + kGap;
    }
    layout.width = x - kGap + kBarWidth + kMargin;
    layout.height =
        top + picture.panel_height + kMargin + (paths ? kCurveGap + kCurve + kCurveFoot - 10 : 0);
    const double bar_height = std::min(300.0, 0.6 * picture.panel_height);
    layout.bar = {layout.width - kMargin - 62, top + (picture.panel_height - bar_height) / 2, 16,
                  bar_height};
    return layout;
}

// Everything that must fit into a map: a game may lead outside of the cloud.
std::vector<Place> framed_places(const MapPicture& picture) {
    std::vector<Place> all = picture.cloud.places;
    for (const MapPanel& panel : picture.panels) {
        if (!panel.path) continue;
        all.insert(all.end(), panel.path->places.begin(), panel.path->places.end());
    }
    if (picture.arrow) all.insert(all.end(), {picture.arrow->from, picture.arrow->to});
    return all;
}

void draw(const MapPicture& picture, const Theme& theme, const Layout2D& layout, Canvas& canvas) {
    const bool paths = has_paths(picture);
    const double left = layout.maps[0].x;
    canvas.text({left, 32}, picture.title, {18, theme.ink, Anchor::Start, true});
    canvas.text({left, 51}, picture.subtitle, {11.5, theme.faint});
    const std::vector<Place> framed = framed_places(picture);
    for (std::size_t i = 0; i < picture.panels.size(); ++i) {
        const MapPanel& panel = picture.panels[i];
        const Box& box = layout.maps[i];
        const Frame frame(framed, box);
        LabelPlacer labels(box);
        if (paths) {
            canvas.text({box.x, box.y - 22}, panel.title, {13.5, theme.ink, Anchor::Start, true});
            canvas.text({box.x, box.y - 7}, panel.subtitle, {11, theme.faint});
        }
        draw_cloud(canvas, theme, frame, picture.cloud, paths ? 0.55 : 1);
        if (panel.path) draw_path(canvas, theme, frame, *panel.path, labels);
        if (picture.arrow && !paths) {
            draw_arrow(canvas, theme, frame, *picture.arrow, labels);
        }
        if (panel.path) {
            draw_curve(canvas, theme, layout.curves[i], *panel.path, picture.step_name, i == 0);
        }
    }
    draw_color_bar(canvas, theme, layout.bar, picture.low_label, picture.high_label,
                   picture.value_name);
}

}  // namespace

Result<std::string> to_svg(const MapPicture& picture, const Theme& theme) {
    const Layout2D layout = arrange(picture);
    const auto canvas = make_svg_canvas(layout.width, layout.height, theme.background);
    draw(picture, theme, layout, *canvas);
    return canvas->finish();
}

Result<std::string> to_png(const MapPicture& picture, const Theme& theme, double scale) {
    const Layout2D layout = arrange(picture);
    const auto canvas = make_png_canvas(layout.width, layout.height, scale, theme.background);
    draw(picture, theme, layout, *canvas);
    return canvas->finish();
}

}  // namespace solis::atlas
