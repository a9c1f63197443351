// Runs the built solis command.
#include "tests/cli/run_solis.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/wait.h>

#include "tests/base/temporary_folder.h"

namespace solis::cli {

Finished run_solis(const std::string& arguments, const std::string& launcher) {
    const TemporaryFolder folder;
    const std::filesystem::path errors = folder / "errors";
    const std::string command =
        "2>'" + errors.string() + "' " + launcher + std::string(SOLIS_BINARY) + " " + arguments;
    Finished run{-1, {}, {}};
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return run;
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) {
        run.output.append(buffer, n);
    }
    const int status = ::pclose(pipe);
    run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    std::ifstream file(errors, std::ios::binary);
    run.errors.assign(std::istreambuf_iterator<char>(file), {});
    return run;
}

Finished run_solis_interrupted(const std::string& arguments,
                               const std::function<bool(const Finished&)>& has_something) {
    Finished run;
    for (const char* const seconds : {"0.4", "1", "4", "16", "60"}) {
        run =
            run_solis(arguments, std::string("timeout --preserve-status -s INT ") + seconds + " ");
        if (has_something(run)) break;
    }
    return run;
}

}  // namespace solis::cli
