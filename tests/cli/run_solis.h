// Runs the built solis command in a shell and collects what it wrote.
#pragma once
#include <functional>
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

// The same with Ctrl-C soon after the start; again and later where the machine had nothing to show
// by then, as `has_something` tells.
[[nodiscard]] Finished run_solis_interrupted(
    const std::string& arguments, const std::function<bool(const Finished&)>& has_something);

}  // namespace solis::cli
