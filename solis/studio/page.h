// The page that is built into the program.
#pragma once
#include <span>
#include <string_view>

#include "solis/studio/http/message.h"

namespace solis::studio {

struct PageFile {
    std::string_view path;  // "/assets/index-3f2a.js"
    std::string_view type;
    std::string_view gzip;  // the content, compressed
    std::string_view tag;   // another one for another content
};

// Made at build time from web/dist; empty where that was not there.
[[nodiscard]] std::span<const PageFile> page_files();

// A file of the page, or a plain page that says how to build it; 404 for everything else.
[[nodiscard]] HttpResponse page_response(const HttpRequest& request);

}  // namespace solis::studio
