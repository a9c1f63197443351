// Runs the built solis command.
#include "tests/cli/run_solis.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/wait.h>
#include <unistd.h>

namespace solis::cli {

Finished run_solis(const std::string& arguments, const std::string& launcher) {
    const std::filesystem::path errors =
        std::filesystem::temp_directory_path() / ("solis-stderr-" + std::to_string(::getpid()));
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
    std::filesystem::remove(errors);
    return run;
}

}  // namespace solis::cli
