// The solis command: parses the command line and hands over to a subcommand.
#include <array>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "solis/base/cpu.h"
#include "solis/chess/attacks.h"
#include "solis/cli/commands.h"
#include "solis/cli/main/commit.h"
#include "solis/cli/version.h"

namespace {

namespace cli = solis::cli;
using solis::ExitCode;

constexpr std::array kCommands{
    cli::add_analyze, cli::add_axis,    cli::add_bench, cli::add_completion, cli::add_data,
    cli::add_embed,   cli::add_explain, cli::add_fen,   cli::add_label,      cli::add_manual,
    cli::add_map,     cli::add_match,   cli::add_model, cli::add_openings,   cli::add_paper,
    cli::add_perft,   cli::add_pgn,     cli::add_play,  cli::add_rank,       cli::add_rate,
    cli::add_serve,   cli::add_similar, cli::add_space, cli::add_sprt,       cli::add_suite,
    cli::add_trace,   cli::add_train,   cli::add_uci,
};

std::string version_text() {
    return fmt::format("solis {} ({})\ncompiler {}, {}\nSIMD {}, sliders {}", cli::kVersion,
                       cli::commit(), cli::kCompiler, cli::kBuildType, solis::cpu_simd_name(),
                       solis::chess::slider_method_name());
}

// "solis help data import".
ExitCode show_help(const cli::Command& app, std::span<const std::string> path,
                   solis::Console& console) {
    const auto text = app.help(path);
    if (!text) return console.error(text.error(), ExitCode::Usage);
    console.print("{}", *text);
    return ExitCode::Ok;
}

ExitCode run(std::vector<std::string> arguments, cli::Session& session) {
    cli::Command app{"SOLIS plans chess moves by vector arithmetic in a learned space.", "solis"};
    app.set_version_flag("--version", version_text());
    app.add_flag_callback(
        "-q,--quiet", [&] { session.console.set_quiet(true); }, "no notes and no progress");
    app.require_subcommand();
    app.fallthrough();
    for (const cli::AddCommand add : kCommands) add(app, session);
    // Chess programs start an engine without arguments and talk to it; people get the overview.
    if (arguments.empty() && ::isatty(STDIN_FILENO) == 0) arguments = {"uci"};
    if (arguments.empty()) return show_help(app, {}, session.console);
    if (arguments[0] == "help") {
        return show_help(app, std::span(arguments).subspan(1), session.console);
    }
    std::vector<const char*> words{"solis"};
    for (const std::string& argument : arguments) words.push_back(argument.c_str());
    const auto parsed = app.parse(static_cast<int>(words.size()), words.data());
    if (!parsed) return session.console.error(parsed.error(), ExitCode::Usage);
    if (parsed->text) session.console.print("{}", *parsed->text);
    return session.exit_code;
}

std::string describe(const std::exception& error) {
    const bool no_memory = dynamic_cast<const std::bad_alloc*>(&error) != nullptr;
    return no_memory ? "out of memory" : error.what();
}

// An exception that no thread has caught. The process cannot go on, but it can say why.
[[noreturn]] void end_with_message() {
    try {
        if (const auto error = std::current_exception()) std::rethrow_exception(error);
        std::fputs("error: the program ended unexpectedly\n", stderr);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", describe(error).c_str());
    } catch (...) {
        std::fputs("error: unknown failure\n", stderr);
    }
    ::_exit(static_cast<int>(ExitCode::Failed));
}

// A file must not be opened under the number of a standard stream that was closed, or data would
// end up in it. Reading from what stands in for stdout and stderr, and writing to it, fails.
void hold_standard_streams() {
    constexpr std::array kModes{O_WRONLY, O_RDONLY, O_RDONLY};
    for (int fd = 0; fd < 3; ++fd) {
        if (::fcntl(fd, F_GETFD) >= 0) continue;
        if (::open("/dev/null", kModes[static_cast<std::size_t>(fd)]) != fd) return;
    }
}

}  // namespace

int main(int argc, char** argv) {
    hold_standard_streams();
    std::set_terminate(end_with_message);
    // A file that reaches the size limit is then a failed write with an error message.
    std::signal(SIGXFSZ, SIG_IGN);
    cli::Session session;
    ExitCode code = ExitCode::Failed;
    try {
        code = run({argv + (argc > 0 ? 1 : 0), argv + argc}, session);
    } catch (const std::exception& error) {
        (void)session.console.error({describe(error), {}});
    }
    if (const auto finished = session.console.finish(); !finished) {
        (void)session.console.error(finished.error());
        if (code == ExitCode::Ok) code = ExitCode::Failed;
    }
    return static_cast<int>(code);
}
