// Serving the page.
#include "solis/studio/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/studio/api/json.h"

namespace solis::studio {
namespace {

constexpr std::string_view kPagePolicy =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

constexpr std::string_view kPlainPage =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>SOLIS</title>"
    "<h1>SOLIS</h1><p>This program was built without its page: node and npm were not there. "
    "Install them (<code>scripts/setup</code> does) and run <code>make build</code>.</p>"
    "<p>The API answers nevertheless: <a href=\"/api/v1/status\">/api/v1/status</a>, described in "
    "docs/api.md.</p></html>\n";

HttpResponse plain_page() {
    HttpResponse response;
    response.type = "text/html; charset=utf-8";
    response.fixed_body = kPlainPage;
    response.headers = {{"Content-Security-Policy", std::string(kPagePolicy)},
                        {"Cache-Control", "no-store"}};
    return response;
}

}  // namespace

HttpResponse page_response(const HttpRequest& request) {
    const std::string_view path =
        request.path == "/" ? std::string_view("/index.html") : std::string_view(request.path);
    const auto files = page_files();
    const auto file =
        std::find_if(files.begin(), files.end(), [&](const PageFile& f) { return f.path == path; });
    if (file == files.end()) {
        if (files.empty() && path == "/index.html") return plain_page();
        return error_response(
            {404, "there is nothing here", "the page is at /, the API at /api/v1"});
    }
    HttpResponse response;
    response.type = file->type;
    const std::string tag = fmt::format("\"{}\"", file->tag);
    // Names of assets have the hash of their content in them.
    const bool hashed = path.starts_with("/assets/");
    response.headers = {
        {"Content-Security-Policy", std::string(kPagePolicy)},
        {"ETag", tag},
        {"Vary", "Accept-Encoding"},
        {"Cache-Control", hashed ? "public, max-age=31536000, immutable" : "no-cache"}};
    if (request.header("if-none-match") == tag) {
        response.status = 304;
        return response;
    }
    // Every browser takes gzip; for others there is `curl --compressed`.
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.fixed_body = file->gzip;
    return response;
}

}  // namespace solis::studio
