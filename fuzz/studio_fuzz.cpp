// Any bytes as a request: head and body, to every call that does not think.
#include <cstddef>
#include <cstdint>
#include <string>

#include "solis/studio/studio.h"

namespace {

solis::studio::Studio& studio() {
    static const auto made = [] {
        solis::studio::StudioOptions options;
        options.threads = 1;
        options.map.count = 20;
        options.map.preview = 20;
        options.guard.rate = 0;
        return std::move(*solis::studio::Studio::open(options));
    }();
    return *made;
}

}  // namespace

int studio_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    // A plan's stream is not run: it would think for as long as it was told to.
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) {
        (void)solis::studio::parse_http_head(text, {});
        return 0;
    }
    auto request = solis::studio::parse_http_head(text.substr(0, end + 4), {});
    if (!request) return 0;
    request->body = text.substr(end + 4);
    (void)studio().answer(*request);
    return 0;
}
