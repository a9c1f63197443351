// What the user sees: data on stdout, messages on stderr, colour only where it is wanted.
#pragma once
#include <cstdio>
#include <string_view>
#include <utility>

#include <fmt/color.h>
#include <fmt/format.h>

#include "solis/base/result.h"

namespace solis {

enum class ExitCode { Ok = 0, Failed = 1, Usage = 2, Interrupted = 130 };

class Console {
  public:
    // Colour where a stream is a terminal and NO_COLOR is not set.
    Console();

    // Data, for people or the next program in the pipe.
    template <class... Args>
    void print(fmt::format_string<Args...> format, Args&&... args) {
        fmt::print(stdout, format, std::forward<Args>(args)...);
    }
    // The same with a style, which is dropped where colour is off.
    template <class... Args>
    void print(fmt::text_style style, fmt::format_string<Args...> format, Args&&... args) {
        write(stdout, out_colored_, style, fmt::format(format, std::forward<Args>(args)...));
    }
    // A note on stderr that is not part of the data.
    template <class... Args>
    void note(fmt::format_string<Args...> format, Args&&... args) {
        if (!quiet_) fmt::print(stderr, "{}\n", fmt::format(format, std::forward<Args>(args)...));
    }
    void warn(std::string_view message);
    // "error: ..." and, where there is one, "hint:  ..."; returns the code to exit with.
    ExitCode error(const Error& error, ExitCode code = ExitCode::Failed);

    // Progress belongs on a terminal only.
    [[nodiscard]] bool stderr_is_terminal() const { return err_terminal_; }
    [[nodiscard]] bool quiet() const { return quiet_; }
    void set_quiet(bool quiet) { quiet_ = quiet; }

  private:
    static void write(std::FILE* stream, bool colored, fmt::text_style style,
                      std::string_view text);

    bool out_colored_;
    bool err_colored_;
    bool err_terminal_;
    bool quiet_ = false;
};

}  // namespace solis
