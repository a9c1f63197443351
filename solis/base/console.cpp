// Console output and its colours.
#include "solis/base/console.h"

#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

namespace solis {
namespace {

bool wants_color(int descriptor) {
    const char* const no_color = std::getenv("NO_COLOR");
    if (no_color != nullptr && *no_color != '\0') return false;
    return ::isatty(descriptor) != 0;
}

}  // namespace

Console::Console()
    : out_colored_(wants_color(STDOUT_FILENO)),
      err_colored_(wants_color(STDERR_FILENO)),
      err_terminal_(::isatty(STDERR_FILENO) != 0) {}

void Console::write(std::FILE* stream, bool colored, fmt::text_style style, std::string_view text) {
    if (colored) {
        fmt::print(stream, style, "{}", text);
    } else {
        fmt::print(stream, "{}", text);
    }
}

void Console::warn(std::string_view message) {
    write(stderr, err_colored_, fmt::fg(fmt::terminal_color::yellow), "warning: ");
    fmt::print(stderr, "{}\n", message);
}

ExitCode Console::error(const Error& error, ExitCode code) {
    write(stderr, err_colored_, fmt::fg(fmt::terminal_color::red), "error: ");
    fmt::print(stderr, "{}\n", error.message);
    if (!error.hint.empty()) {
        write(stderr, err_colored_, fmt::fg(fmt::terminal_color::cyan), "hint:  ");
        fmt::print(stderr, "{}\n", error.hint);
    }
    return code;
}

}  // namespace solis
