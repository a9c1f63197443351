// Runs the built solis command in a shell and collects what it wrote.
#pragma once
#include <string>

namespace solis::cli {

struct Finished {
    int exit_code;
    std::string output;  // stdout
    std::string errors;  // stderr
};

// `arguments` is shell text, so it may quote, redirect stdin and use pipes after the command.
// `launcher` is what comes before the command.
[[nodiscard]] Finished run_solis(const std::string& arguments, const std::string& launcher = "");

}  // namespace solis::cli
