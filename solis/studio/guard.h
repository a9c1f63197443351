// Who may ask: the site a request comes from, the token, and how often.
#pragma once
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "solis/studio/http/message.h"

namespace solis::studio {

struct GuardOptions {
    // Names and addresses that a request may call this server by, besides those of loopback.
    std::vector<std::string> hosts{};
    // Any numeric address is accepted, too: it cannot be made to point here by another site's DNS.
    bool numeric_hosts = false;
    // Without it nothing is answered; empty: none is needed.
    std::string token{};
    std::string cookie = "solis";
    // Requests that compute, per second and address; 0: any number.
    double rate = 200;
    // How long those beyond the rate wait for their turn.
    std::chrono::milliseconds patience{2000};
};

class Guard {
  public:
    explicit Guard(GuardOptions options) : options_(std::move(options)) {}

    // The answer to a request that goes no further; none where it may. Waits where the client asks
    // too often.
    [[nodiscard]] std::optional<HttpResponse> stop_at_the_door(const HttpRequest& request);

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] bool knows_host(std::string_view host) const;
    [[nodiscard]] std::optional<HttpResponse> check_site(const HttpRequest& request) const;
    [[nodiscard]] std::optional<HttpResponse> check_token(const HttpRequest& request) const;
    [[nodiscard]] std::optional<HttpResponse> check_rate(const HttpRequest& request);

    GuardOptions options_;
    std::mutex mutex_;
    // When the next request of an address is due, were they spread evenly.
    std::map<std::string, Clock::time_point> due_;
};

// In a time that depends on the length of `given` only.
[[nodiscard]] bool equal_in_constant_time(std::string_view secret, std::string_view given);
// 32 hexadecimal digits from the system's random numbers.
[[nodiscard]] std::string random_token();
// Whether only this machine can reach it.
[[nodiscard]] bool is_loopback(std::string_view address);

}  // namespace solis::studio
