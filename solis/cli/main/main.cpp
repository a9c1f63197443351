// The solis command: parses the command line and hands over to a subcommand.
#include <array>
#include <exception>

#include <fmt/format.h>

#include "solis/base/cpu.h"
#include "solis/chess/attacks.h"
#include "solis/cli/commands.h"
#include "solis/cli/version.h"

namespace {

namespace cli = solis::cli;

constexpr std::array kCommands{
    cli::add_analyze, cli::add_axis,  cli::add_bench, cli::add_data,  cli::add_embed,
    cli::add_fen,     cli::add_label, cli::add_match, cli::add_model, cli::add_openings,
    cli::add_paper,   cli::add_perft, cli::add_pgn,   cli::add_play,  cli::add_rank,
    cli::add_rate,    cli::add_sprt,  cli::add_suite, cli::add_train, cli::add_uci,
};

std::string version_text() {
    return fmt::format("solis {}\ncompiler {}, {}\nSIMD {}, sliders {}", cli::kVersion,
                       cli::kCompiler, cli::kBuildType, solis::cpu_simd_name(),
                       solis::chess::slider_method_name());
}

int run(int argc, char** argv) {
    cli::Command app{"SOLIS plans chess moves by vector arithmetic in a learned space.", "solis"};
    cli::Session session;
    app.set_version_flag("--version", version_text());
    app.add_flag_callback(
        "-q,--quiet", [&] { session.console.set_quiet(true); }, "no notes and no progress");
    app.require_subcommand();
    app.fallthrough();
    for (const cli::AddCommand add : kCommands) add(app, session);
    switch (app.parse(argc, argv)) {
        case cli::Command::Parsed::Ran:
            return static_cast<int>(session.exit_code);
        case cli::Command::Parsed::Informed:
            return static_cast<int>(solis::ExitCode::Ok);
        case cli::Command::Parsed::WrongUsage:
            break;
    }
    return static_cast<int>(solis::ExitCode::Usage);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "error: {}\n", error.what());
        return static_cast<int>(solis::ExitCode::Failed);
    }
}
