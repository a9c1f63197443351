// A map as one interactive HTML file that needs nothing else: no network, no library.
#pragma once
#include <string>
#include <vector>

#include "solis/atlas/draw/picture.h"

namespace solis::atlas {

struct HtmlExtras {
    // Shown for the point under the pointer, one per place of the cloud; or none.
    std::vector<std::string> labels;
    // JavaScript of a function show(label) that gives the HTML shown for a label; empty: the text.
    std::string show_function;
};

// Zoom by wheel, move by dragging, light and dark by a button; paths can be played step by step.
// Points are drawn by WebGL, or on a plain canvas where there is none.
[[nodiscard]] std::string to_html(const MapPicture& picture, const HtmlExtras& extras);

// The page around the data; "@NAME@" stands for what to_html puts in.
[[nodiscard]] std::string_view html_page();

}  // namespace solis::atlas
