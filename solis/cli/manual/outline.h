// The command line as data, for what is generated from it: manual pages and completion.
#pragma once
#include <string>
#include <vector>

namespace solis::cli {

struct OptionOutline {
    std::vector<std::string> names;    // "--model", "-q"; none for a positional argument
    std::string positional;            // its name; empty for an option
    std::string value;                 // "TEXT", "INT:1..256=5"; empty for a flag
    std::vector<std::string> choices;  // all that it takes, where these are known
    std::string help;
};

struct CommandOutline {
    std::string path;  // "solis data import"
    std::string name;  // "import"
    std::vector<std::string> aliases;
    std::string help;
    std::vector<OptionOutline> options;
    std::vector<CommandOutline> commands;
};

}  // namespace solis::cli
