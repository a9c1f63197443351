// Console output and its colours.
#include "solis/base/console.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace solis {
namespace {

bool is_dumb_terminal() {
    const char* const term = std::getenv("TERM");
    return term != nullptr && std::strcmp(term, "dumb") == 0;
}

bool wants_color(int descriptor) {
    const char* const no_color = std::getenv("NO_COLOR");
    if (no_color != nullptr && *no_color != '\0') return false;
    return !is_dumb_terminal() && ::isatty(descriptor) != 0;
}

}  // namespace

Console::Console()
    : out_colored_(wants_color(STDOUT_FILENO)),
      err_colored_(wants_color(STDERR_FILENO)),
      err_terminal_(::isatty(STDERR_FILENO) != 0),
      err_redraws_(err_terminal_ && !is_dumb_terminal()) {}

void Console::write_out(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
    if (out_errno_ == 0) out_errno_ = errno;
}

// There is nowhere to tell that standard error is lost.
void Console::write_err(std::string_view text) {
    (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

std::string Console::heading(fmt::terminal_color color, std::string_view text) const {
    return err_colored_ ? fmt::format(fmt::fg(color), "{}", text) : std::string(text);
}

void Console::warn(std::string_view message) {
    write_err(fmt::format("{}{}\n", heading(fmt::terminal_color::yellow, "warning: "), message));
}

ExitCode Console::error(const Error& error, ExitCode code) {
    write_err(fmt::format("{}{}\n", heading(fmt::terminal_color::red, "error: "), error.message));
    if (!error.hint.empty()) {
        write_err(fmt::format("{}{}\n", heading(fmt::terminal_color::cyan, "hint:  "), error.hint));
    }
    return code;
}

Result<void> Console::finish() {
    const bool flushed = std::fflush(stdout) == 0;
    if (!flushed && out_errno_ == 0) out_errno_ = errno;
    if (flushed && std::ferror(stdout) == 0) return {};
    return fail(fmt::format("cannot write standard output: {}",
                            out_errno_ != 0 ? std::strerror(out_errno_) : "a write failed"));
}

}  // namespace solis
