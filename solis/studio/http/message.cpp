// Reading the head of a request, writing the head of an answer.
#include "solis/studio/http/message.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/base/utf8.h"

namespace solis::studio {
namespace {

constexpr std::size_t kMostHeaders = 100;

constexpr std::array<std::pair<int, std::string_view>, 18> kReasons{
    {{200, "OK"},
     {204, "No Content"},
     {303, "See Other"},
     {304, "Not Modified"},
     {400, "Bad Request"},
     {401, "Unauthorized"},
     {403, "Forbidden"},
     {404, "Not Found"},
     {405, "Method Not Allowed"},
     {408, "Request Timeout"},
     {413, "Content Too Large"},
     {415, "Unsupported Media Type"},
     {421, "Misdirected Request"},
     {422, "Unprocessable Content"},
     {429, "Too Many Requests"},
     {431, "Request Header Fields Too Large"},
     {500, "Internal Server Error"},
     {503, "Service Unavailable"}}};

tl::unexpected<HttpRefusal> refuse_head(int status, std::string message) {
    return tl::unexpected<HttpRefusal>(HttpRefusal{status, std::move(message)});
}

std::optional<std::string_view> field_of(const HttpFields& fields, std::string_view name) {
    for (const auto& [key, value] : fields) {
        if (key == name) return value;
    }
    return std::nullopt;
}

// A character of a method or of the name of a header.
bool is_token_character(char c) {
    constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
    return is_letter(c) || is_digit(c) || kMarks.find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_token_character);
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::optional<int> hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return std::nullopt;
}

bool read_query(std::string_view text, HttpFields& query) {
    while (!text.empty()) {
        const std::string_view pair = text.substr(0, text.find('&'));
        text.remove_prefix(std::min(text.size(), pair.size() + 1));
        const std::size_t equals = pair.find('=');
        const auto name = percent_decoded(pair.substr(0, equals), true);
        const auto value = equals == std::string_view::npos
                               ? std::string()
                               : percent_decoded(pair.substr(equals + 1), true);
        if (!name || !value) return false;
        query.emplace_back(*name, *value);
    }
    return true;
}

std::optional<HttpRefusal> read_request_line(std::string_view line, HttpRequest& request) {
    const std::size_t first = line.find(' '), last = line.rfind(' ');
    if (first == std::string_view::npos || last == first) {
        return HttpRefusal{400, "the first line is no request"};
    }
    const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
    const std::string_view target = line.substr(first + 1, last - first - 1);
    if (!is_token(method)) return HttpRefusal{400, "the method is no word"};
    if (version != "HTTP/1.1" && version != "HTTP/1.0") {
        return HttpRefusal{400, "only HTTP/1.1 and HTTP/1.0 are understood"};
    }
    request.method = method;
    request.is_1_0 = version == "HTTP/1.0";
    request.keeps_alive = !request.is_1_0;
    if (target.empty() || target.front() != '/') return HttpRefusal{400, "the path has no '/'"};
    const std::size_t mark = target.find('?');
    const auto path = percent_decoded(target.substr(0, mark), false);
    if (!path || path->find('\0') != std::string::npos ||
        (mark != std::string_view::npos && !read_query(target.substr(mark + 1), request.query))) {
        return HttpRefusal{400, "the path is not well formed"};
    }
    request.path = *path;
    return std::nullopt;
}

std::optional<HttpRefusal> read_header_line(std::string_view line, HttpRequest& request) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
        return HttpRefusal{400, "a header has no name"};
    }
    const std::string_view value = without_blanks(line.substr(colon + 1));
    const auto is_control = [](char c) {
        return (static_cast<unsigned char>(c) < 32 && c != '\t') || c == 127;
    };
    if (std::any_of(value.begin(), value.end(), is_control)) {
        return HttpRefusal{400, "a header has control characters"};
    }
    if (request.headers.size() == kMostHeaders) return HttpRefusal{431, "too many headers"};
    request.headers.emplace_back(lower_case(line.substr(0, colon)), value);
    return std::nullopt;
}

// What the headers say about the connection and the body.
std::optional<HttpRefusal> settle_headers(HttpRequest& request, const HttpLimits& limits) {
    for (const std::string_view once : {"host", "content-length", "content-type", "origin"}) {
        const auto count =
            std::count_if(request.headers.begin(), request.headers.end(),
                          [once](const auto& header) { return header.first == once; });
        if (count > 1) return HttpRefusal{400, fmt::format("'{}' is there twice", once)};
    }
    if (!request.is_1_0 && !request.header("host")) return HttpRefusal{400, "no Host"};
    if (request.header("transfer-encoding")) {
        return HttpRefusal{400, "send Content-Length instead of Transfer-Encoding"};
    }
    if (const auto connection = request.header("connection")) {
        const std::string wish = lower_case(*connection);
        if (wish == "close") request.keeps_alive = false;
        if (wish == "keep-alive") request.keeps_alive = true;
    }
    const auto length = request.header("content-length");
    if (!length) return std::nullopt;
    if (length->empty() || length->size() > 15 ||
        !std::all_of(length->begin(), length->end(), is_digit)) {
        return HttpRefusal{400, "Content-Length is no number"};
    }
    for (const char c : *length) {
        request.body_bytes = 10 * request.body_bytes + static_cast<std::uint64_t>(c - '0');
    }
    if (request.body_bytes > limits.body_bytes) {
        return HttpRefusal{413, fmt::format("a body has at most {} bytes", limits.body_bytes)};
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string_view> HttpRequest::header(std::string_view name) const {
    return field_of(headers, name);
}

std::optional<std::string_view> HttpRequest::parameter(std::string_view name) const {
    return field_of(query, name);
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '+' && plus_is_space) {
            decoded += ' ';
        } else if (text[i] != '%') {
            if (static_cast<unsigned char>(text[i]) <= 32) return std::nullopt;
            decoded += text[i];
        } else {
            if (i + 2 >= text.size()) return std::nullopt;
            const auto high = hex_digit(text[i + 1]), low = hex_digit(text[i + 2]);
            if (!high || !low) return std::nullopt;
            decoded += static_cast<char>(16 * *high + *low);
            i += 2;
        }
    }
    if (!is_valid_utf8(decoded)) return std::nullopt;
    return decoded;
}

tl::expected<HttpRequest, HttpRefusal> parse_http_head(std::string_view head,
                                                       const HttpLimits& limits) {
    HttpRequest request;
    bool first = true;
    while (true) {
        const std::size_t end = head.find("\r\n");
        if (end == std::string_view::npos) return refuse_head(400, "a line has no end");
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(end + 2);
        if (line.empty() && !first) break;
        if (line.find('\n') != std::string_view::npos ||
            line.find('\r') != std::string_view::npos) {
            return refuse_head(400, "a line end stands alone");
        }
        const auto wrong =
            first ? read_request_line(line, request) : read_header_line(line, request);
        if (wrong) return tl::unexpected<HttpRefusal>(*wrong);
        first = false;
    }
    if (const auto wrong = settle_headers(request, limits)) {
        return tl::unexpected<HttpRefusal>(*wrong);
    }
    return request;
}

std::string http_head(const HttpResponse& response, std::optional<std::size_t> length,
                      bool keeps_alive, bool chunked) {
    const auto reason = std::find_if(kReasons.begin(), kReasons.end(),
                                     [&](const auto& r) { return r.first == response.status; });
    std::string head = fmt::format("HTTP/1.1 {} {}\r\n", response.status,
                                   reason == kReasons.end() ? "Status" : reason->second);
    if (!response.type.empty()) head += fmt::format("Content-Type: {}\r\n", response.type);
    if (length) head += fmt::format("Content-Length: {}\r\n", *length);
    if (chunked) head += "Transfer-Encoding: chunked\r\n";
    if (!keeps_alive) head += "Connection: close\r\n";
    for (const auto& [name, value] : response.headers) {
        head += fmt::format("{}: {}\r\n", name, value);
    }
    return head + "\r\n";
}

}  // namespace solis::studio
