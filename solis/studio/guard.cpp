// Checks before any request is looked at.
#include "solis/studio/guard.h"

#include <algorithm>
#include <array>
#include <thread>

#include <arpa/inet.h>
#include <fmt/format.h>

#include "solis/base/system_seed.h"
#include "solis/studio/api/json.h"

namespace solis::studio {
namespace {

constexpr double kBurst = 400;  // requests at once that nobody has to wait for
constexpr std::size_t kMostAddresses = 10'000;

// "localhost:7771" -> "localhost", "[::1]:7771" -> "::1".
std::string_view host_name(std::string_view host) {
    if (host.starts_with('[')) {
        const std::size_t end = host.find(']');
        return end == std::string_view::npos ? "" : host.substr(1, end - 1);
    }
    return host.substr(0, host.find(':'));
}

bool is_numeric(std::string_view name) {
    std::array<unsigned char, sizeof(in6_addr)> address{};
    const std::string text(name);
    return ::inet_pton(AF_INET, text.c_str(), address.data()) == 1 ||
           ::inet_pton(AF_INET6, text.c_str(), address.data()) == 1;
}

std::string_view cookie_value(std::string_view cookies, std::string_view name) {
    while (!cookies.empty()) {
        std::string_view cookie = cookies.substr(0, cookies.find(';'));
        cookies.remove_prefix(std::min(cookies.size(), cookie.size() + 1));
        while (cookie.starts_with(' ')) cookie.remove_prefix(1);
        if (cookie.starts_with(name) && cookie.substr(name.size()).starts_with('=')) {
            return cookie.substr(name.size() + 1);
        }
    }
    return {};
}

}  // namespace

bool equal_in_constant_time(std::string_view secret, std::string_view given) {
    unsigned difference = secret.size() == given.size() ? 0 : 1;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const char expected = secret.empty() ? '\0' : secret[i % secret.size()];
        difference |= static_cast<unsigned>(static_cast<unsigned char>(expected ^ given[i]));
    }
    return difference == 0;
}

std::string random_token() {
    return fmt::format("{:016x}{:016x}", system_seed().value, system_seed().value);
}

bool is_loopback(std::string_view address) {
    return address == "localhost" || address == "::1" || address.starts_with("127.");
}

bool Guard::knows_host(std::string_view host) const {
    const std::string_view name = host_name(host);
    if (is_loopback(name) && (name == "localhost" || is_numeric(name))) return true;
    if (options_.numeric_hosts && is_numeric(name)) return true;
    return std::find(options_.hosts.begin(), options_.hosts.end(), name) != options_.hosts.end();
}

std::optional<HttpResponse> Guard::check_site(const HttpRequest& request) const {
    const std::string_view host = request.header("host").value_or("");
    if (!knows_host(host)) {
        return error_response({421, "this server does not answer under that name",
                               "open it as http://127.0.0.1 or http://localhost"});
    }
    const auto origin = request.header("origin");
    if (origin && *origin != fmt::format("http://{}", host)) {
        return error_response({403, "requests of other sites are not answered"});
    }
    const auto site = request.header("sec-fetch-site");
    if (site && (*site == "cross-site" || *site == "same-site") &&
        request.header("sec-fetch-mode") != "navigate") {
        return error_response({403, "requests of other sites are not answered"});
    }
    return std::nullopt;
}

std::optional<HttpResponse> Guard::check_token(const HttpRequest& request) const {
    if (options_.token.empty()) return std::nullopt;
    const auto matches = [&](std::string_view given) {
        return !given.empty() && equal_in_constant_time(options_.token, given);
    };
    if (request.path == "/" && matches(request.parameter("token").value_or(""))) {
        HttpResponse response;
        response.status = 303;
        response.type.clear();
        response.headers = {{"Location", "/"},
                            {"Set-Cookie", fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict",
                                                       options_.cookie, options_.token)},
                            {"Cache-Control", "no-store"},
                            {"Referrer-Policy", "no-referrer"}};
        return response;
    }
    if (matches(cookie_value(request.header("cookie").value_or(""), options_.cookie))) {
        return std::nullopt;
    }
    constexpr std::string_view kBearer = "Bearer ";
    const std::string_view authorization = request.header("authorization").value_or("");
    if (authorization.starts_with(kBearer) && matches(authorization.substr(kBearer.size()))) {
        return std::nullopt;
    }
    return error_response({401, "this server needs its token",
                           "open the link that solis serve has printed, or send "
                           "'Authorization: Bearer TOKEN'"});
}

std::optional<HttpResponse> Guard::check_rate(const HttpRequest& request) {
    if (options_.rate <= 0 || request.method != "POST") return std::nullopt;
    const std::chrono::duration<double> interval(1 / options_.rate);
    const auto burst = std::chrono::duration_cast<Clock::duration>(kBurst * interval);
    const auto now = Clock::now();
    Clock::duration wait{};
    {
        const std::lock_guard lock(mutex_);
        if (due_.size() >= kMostAddresses) due_.clear();
        Clock::time_point& due = due_.try_emplace(request.peer, now - burst).first->second;
        due = std::max(due, now - burst);
        wait = due - now;
        if (wait <= options_.patience) due += std::chrono::duration_cast<Clock::duration>(interval);
    }
    if (wait > options_.patience) {
        return error_response({429, "too many requests", "ask again in a second"});
    }
    if (wait > Clock::duration::zero()) std::this_thread::sleep_for(wait);
    return std::nullopt;
}

std::optional<HttpResponse> Guard::stop_at_the_door(const HttpRequest& request) {
    if (auto refused = check_site(request)) return refused;
    if (auto refused = check_token(request)) return refused;
    return check_rate(request);
}

}  // namespace solis::studio
