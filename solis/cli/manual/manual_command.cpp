// solis completion, solis manual: what shells and man(1) need, made from the table of commands.
#include <filesystem>

#include <fmt/format.h>

#include "solis/base/file.h"
#include "solis/cli/commands.h"
#include "solis/cli/manual/completion.h"
#include "solis/cli/manual/man_page.h"
#include "solis/cli/version.h"

namespace solis::cli {
namespace {

ExitCode write_pages(const CommandOutline& program, const std::string& folder, Console& console) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
        return console.error(
            Error{fmt::format("cannot make the folder '{}': {}", folder, error.message()), {}});
    }
    const std::vector<ManPage> pages = man_pages(program, kVersion);
    for (const ManPage& page : pages) {
        const auto path = std::filesystem::path(folder) / page.name;
        if (auto written = write_file_atomically(path, page.text); !written) {
            return console.error(written.error());
        }
    }
    console.note("{}: {} pages", folder, pages.size());
    return ExitCode::Ok;
}

}  // namespace

void add_completion(Command& parent, Session& session) {
    auto* const command =
        parent.add_subcommand("completion", "completion of command lines, as a script for a shell");
    const auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "source what it prints, or put it where the shell looks")
        ->required()
        ->one_of({"bash", "zsh"});
    command->callback([&parent, &session, shell] {
        const CommandOutline program = parent.outline();
        session.console.print(
            "{}", *shell == "bash" ? bash_completion(program) : zsh_completion(program));
    });
}

void add_manual(Command& parent, Session& session) {
    auto* const command =
        parent.add_subcommand("manual", "write the manual pages of all commands into a folder");
    const auto folder = std::make_shared<std::string>();
    command->add_option("folder", *folder, "read them with: man FOLDER/solis.1")->required();
    command->callback([&parent, &session, folder] {
        session.exit_code = write_pages(parent.outline(), *folder, session.console);
    });
}

}  // namespace solis::cli
