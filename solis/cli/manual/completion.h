// Completion of command lines in a shell.
#pragma once
#include <string>

#include "solis/base/result.h"
#include "solis/cli/manual/outline.h"

namespace solis::cli {

// A script for the shell, "bash" or "zsh": commands, options, and the values of options that take
// one of a few; file names everywhere else.
[[nodiscard]] std::string bash_completion(const CommandOutline& program);
[[nodiscard]] std::string zsh_completion(const CommandOutline& program);

}  // namespace solis::cli
