// Progress line with rate and ETA.
#include "solis/base/progress.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace solis {
namespace {

constexpr std::chrono::milliseconds kBetweenDraws{100};
// A dumb terminal keeps every line it was given.
constexpr std::chrono::milliseconds kBetweenLines{10'000};

}  // namespace

std::string format_duration(double seconds) {
    const auto s = static_cast<long long>(std::clamp(seconds, 0.0, 1e12));
    if (s < 60) return fmt::format("{} s", s);
    if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
    return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

std::string format_count(double value) {
    if (value < 1e3) return fmt::format("{:.0f}", value);
    if (value < 1e6) return fmt::format("{:.1f} k", value / 1e3);
    if (value < 1e9) return fmt::format("{:.2f} M", value / 1e6);
    return fmt::format("{:.2f} G", value / 1e9);
}

Progress::Progress(Console& console, std::string label, std::uint64_t total, std::string unit)
    : visible_(console.stderr_is_terminal() && !console.quiet()),
      redraws_(console.stderr_redraws()),
      label_(std::move(label)),
      total_(total),
      unit_(std::move(unit)) {}

Progress::~Progress() { clear(); }

void Progress::update(std::uint64_t done, const std::string& extra) {
    if (!visible_) return;
    if (!started_) {
        started_ = true;
        first_done_ = done;
    }
    const Clock::time_point now = Clock::now();
    if (now < next_draw_) return;
    next_draw_ = now + (redraws_ ? kBetweenDraws : kBetweenLines);
    draw(done, extra, std::chrono::duration<double>(now - start_).count());
}

void Progress::draw(std::uint64_t done, const std::string& extra, double elapsed) {
    const double rate =
        elapsed > 0 ? static_cast<double>(done - std::min(done, first_done_)) / elapsed : 0;
    std::string text = label_;
    if (total_ != 0) {
        const double share = static_cast<double>(done) / static_cast<double>(total_);
        text += fmt::format(" {:3.0f} %", 100 * std::min(share, 1.0));
    }
    text += fmt::format("  {} {}  {}/s", format_count(static_cast<double>(done)), unit_,
                        format_count(rate));
    if (total_ > done && rate > 0) {
        text +=
            fmt::format("  {} left", format_duration(static_cast<double>(total_ - done) / rate));
    }
    if (!extra.empty()) text += "  " + extra;
    text = redraws_ ? "\r\x1b[K" + text : text + "\n";
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
    drawn_ = redraws_;
}

void Progress::clear() {
    if (drawn_) (void)std::fputs("\r\x1b[K", stderr);
    std::fflush(stderr);
    drawn_ = false;
}

}  // namespace solis
