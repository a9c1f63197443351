// Puts the data of a picture into the page.
#include "solis/atlas/draw/html.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "solis/base/bytes.h"
#include "solis/base/text.h"

namespace solis::atlas {
namespace {

// Text as a JavaScript string that is safe inside a script element.
std::string js_quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\', out += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == '<' || c == '>' || c == '&') {
            out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        } else {
            out += c;
        }
    }
    return out + '"';
}

template <class List, class ToText>
std::string array_of(const List& list, ToText&& to_text) {
    std::string out = "[";
    for (const auto& item : list) out += to_text(item) + ",";
    if (out.size() > 1) out.pop_back();
    return out + "]";
}

// Coordinates as 16 bits of the range, values as 8: finer than any screen shows.
struct Range {
    float left = INFINITY, low = INFINITY, size = 1e-9f;

    explicit Range(const MapPicture& picture) {
        float right = -INFINITY, high = -INFINITY;
        const auto take = [&](const Place& p) {
            left = std::min(left, p.x), right = std::max(right, p.x);
            low = std::min(low, p.y), high = std::max(high, p.y);
        };
        for (const Place& p : picture.cloud.places) take(p);
        for (const MapPanel& panel : picture.panels) {
            if (panel.path) std::ranges::for_each(panel.path->places, take);
        }
        if (picture.arrow) take(picture.arrow->from), take(picture.arrow->to);
        if (left > right) left = low = right = high = 0;
        size = std::max({right - left, high - low, 1e-9f});
        left -= (size - (right - left)) / 2;
        low -= (size - (high - low)) / 2;
    }
    [[nodiscard]] double x(Place p) const { return static_cast<double>((p.x - left) / size); }
    [[nodiscard]] double y(Place p) const { return static_cast<double>((p.y - low) / size); }
};

std::string points_base64(const Cloud& cloud, const Range& range) {
    Bytes bytes;
    const auto append = [&](double share) {
        append_little_endian(bytes, static_cast<std::uint16_t>(std::lround(65535 * share)));
    };
    for (const Place& p : cloud.places) append(range.x(p)), append(range.y(p));
    for (const float value : cloud.values) {
        bytes.push_back(
            static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0f, 1.0f))));
    }
    return base64(as_text(bytes));
}

std::string place_json(Place p, const Range& range) {
    return fmt::format("[{:.5f},{:.5f}]", range.x(p), range.y(p));
}

std::string path_json(const MapPanel& panel, const Range& range) {
    if (!panel.path) return "null";
    const MapPath& path = *panel.path;
    return fmt::format(
        "{{title:{},subtitle:{},places:{},values:{},marks:{}}}", js_quoted(panel.title),
        js_quoted(panel.subtitle),
        array_of(path.places, [&](Place p) { return place_json(p, range); }),
        array_of(path.values, [](double value) { return fmt::format("{:.4f}", value); }),
        array_of(path.marks, [](const PathMark& mark) {
            return fmt::format("[{},{}]", mark.step, js_quoted(mark.label));
        }));
}

std::string theme_json(const Theme& theme) {
    return fmt::format(
        "{{background:\"{}\",ink:\"{}\",faint:\"{}\",path:\"{}\",accent:\"{}\",scale:{}}}",
        css(theme.background), css(theme.ink), css(theme.faint), css(theme.path), css(theme.accent),
        array_of(theme.scale, [](const Color& c) { return js_quoted(css(c)); }));
}

std::string data_script(const MapPicture& picture, const HtmlExtras& extras) {
    const Range range(picture);
    const std::string arrow =
        picture.arrow
            ? fmt::format("{{from:{},to:{},fromLabel:{},toLabel:{}}}",
                          place_json(picture.arrow->from, range),
                          place_json(picture.arrow->to, range),
                          js_quoted(picture.arrow->from_label), js_quoted(picture.arrow->to_label))
            : "null";
    return fmt::format(
        "const data={{count:{},low:{},high:{},valueName:{},stepName:{},arrow:{},paths:{},labels:{},"
        "themes:{{light:{},dark:{}}},points:\"{}\"}};\n",
        picture.cloud.places.size(), js_quoted(picture.low_label), js_quoted(picture.high_label),
        js_quoted(picture.value_name), js_quoted(picture.step_name), arrow,
        array_of(picture.panels, [&](const MapPanel& panel) { return path_json(panel, range); }),
        array_of(extras.labels, [](const std::string& label) { return js_quoted(label); }),
        theme_json(light_theme()), theme_json(dark_theme()), points_base64(picture.cloud, range));
}

void replace(std::string& page, std::string_view name, std::string_view with) {
    const std::size_t at = page.find(name);
    if (at != std::string::npos) page.replace(at, name.size(), with);
}

}  // namespace

std::string to_html(const MapPicture& picture, const HtmlExtras& extras) {
    std::string page(html_page());
    replace(page, "@TITLE@", escape_xml(picture.title));
    replace(page, "@HEADING@", escape_xml(picture.title));
    replace(page, "@SUBTITLE@", escape_xml(picture.subtitle));
    // The data last: it could hold the name of another place.
    replace(page, "@SHOW@",
            extras.show_function.empty()
                ? "function show(label){const p=document.createElement('p');p.textContent=label;"
                  "return p.outerHTML}"
                : extras.show_function);
    replace(page, "@DATA@", data_script(picture, extras));
    return page;
}

}  // namespace solis::atlas
