// What the user sees: data on stdout, messages on stderr, colour only where it is wanted.
#pragma once
#include <string>
#include <string_view>
#include <utility>

#include <fmt/color.h>
#include <fmt/format.h>

#include "solis/base/result.h"

namespace solis {

enum class ExitCode { Ok = 0, Failed = 1, Usage = 2, Interrupted = 130 };

class Console {
  public:
    // Colour where a stream is a terminal, NO_COLOR is not set and TERM is not "dumb".
    Console();

    // Data, for people or the next program in the pipe. What cannot be written is lost until
    // finish() tells: a long run does not end because its report cannot be shown.
    template <class... Args>
    void print(fmt::format_string<Args...> format, Args&&... args) {
        write_out(fmt::format(format, std::forward<Args>(args)...));
    }
    // The same with a style, which is dropped where colour is off.
    template <class... Args>
    void print(fmt::text_style style, fmt::format_string<Args...> format, Args&&... args) {
        const std::string text = fmt::format(format, std::forward<Args>(args)...);
        write_out(out_colored_ ? fmt::format(style, "{}", text) : text);
    }
    // Text for print() in a style, which is dropped where colour is off.
    [[nodiscard]] std::string styled(fmt::text_style style, std::string_view text) const {
        return out_colored_ ? fmt::format(style, "{}", text) : std::string(text);
    }
    // A note on stderr that is not part of the data.
    template <class... Args>
    void note(fmt::format_string<Args...> format, Args&&... args) {
        if (!quiet_) write_err(fmt::format(format, std::forward<Args>(args)...) + "\n");
    }
    void warn(std::string_view message);
    // "error: ..." and, where there is one, "hint:  ..."; returns the code to exit with.
    ExitCode error(const Error& error, ExitCode code = ExitCode::Failed);

    // Flushes stdout. Fails where anything that was ever written to it was lost, by whatever means
    // it was written; call it once, before the program ends.
    [[nodiscard]] Result<void> finish();

    // Progress belongs on a terminal only.
    [[nodiscard]] bool stderr_is_terminal() const { return err_terminal_; }
    // Whether a line of that terminal can be drawn again.
    [[nodiscard]] bool stderr_redraws() const { return err_redraws_; }
    [[nodiscard]] bool quiet() const { return quiet_; }
    void set_quiet(bool quiet) { quiet_ = quiet; }

  private:
    void write_out(std::string_view text);
    static void write_err(std::string_view text);
    [[nodiscard]] std::string heading(fmt::terminal_color color, std::string_view text) const;

    bool out_colored_;
    bool err_colored_;
    bool err_terminal_;
    bool err_redraws_;
    bool quiet_ = false;
    int out_errno_ = 0;  // of the first write that failed
};

}  // namespace solis
