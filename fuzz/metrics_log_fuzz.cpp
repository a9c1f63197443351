// Any text as the metrics of a run: what is kept of it is kept as it is when it is read again, and
// a picture can be drawn of it.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/train/metrics_log.h"

using solis::train::MetricsLog;

int metrics_log_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    constexpr std::uint64_t kStep = 1000;
    MetricsLog log("fuzz"), again("fuzz");
    const std::string kept = log.take(text, kStep);
    if (again.take(kept, kStep) != kept) std::abort();
    if (again.losses().size() != log.losses().size()) std::abort();
    static_cast<void>(solis::train::curve_svg(log, "fuzz"));
    return 0;
}
