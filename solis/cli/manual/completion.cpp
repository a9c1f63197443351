// Completion scripts. Both shells follow the words to the command they lead to, and look up in
// three tables: which words lead on, what an option takes, and what may follow.
#include "solis/cli/manual/completion.h"

#include <functional>

#include <fmt/format.h>

namespace solis::cli {
namespace {

void visit_commands(const CommandOutline& command,
                    const std::function<void(const CommandOutline&)>& use) {
    use(command);
    for (const CommandOutline& each : command.commands) visit_commands(each, use);
}

std::vector<std::string> names_of(const CommandOutline& command) {
    std::vector<std::string> names{command.name};
    names.insert(names.end(), command.aliases.begin(), command.aliases.end());
    return names;
}

// In single quotes, as both shells read them.
std::string shell_word(std::string_view text) {
    std::string safe = "'";
    for (const char c : text) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return safe + "'";
}

// Lines of a `case` over "path word": an alias leads where the name leads.
std::string steps(const CommandOutline& program) {
    std::string text;
    visit_commands(program, [&](const CommandOutline& parent) {
        for (const CommandOutline& command : parent.commands) {
            std::vector<std::string> patterns;
            for (const std::string& name : names_of(command)) {
                patterns.push_back(shell_word(parent.path + " " + name));
            }
            text += fmt::format("            {}) place={} ;;\n", fmt::join(patterns, "|"),
                                shell_word(command.path));
        }
    });
    return text;
}

// Lines of a `case` over "path option", for options that take one of a few values.
std::string values(const CommandOutline& program, std::string_view action) {
    std::string text;
    visit_commands(program, [&](const CommandOutline& command) {
        for (const OptionOutline& option : command.options) {
            if (option.choices.empty() || option.names.empty()) continue;
            std::vector<std::string> patterns;
            for (const std::string& name : option.names) {
                patterns.push_back(shell_word(command.path + " " + name));
            }
            text += fmt::format("        {}) {} ;;\n", fmt::join(patterns, "|"),
                                fmt::format(fmt::runtime(action), fmt::join(option.choices, " ")));
        }
    });
    return text;
}

// Of a command and of those above it, whose options it takes, too.
void append_option_words(const CommandOutline& command, std::string_view separator, bool described,
                         std::string& out) {
    for (const OptionOutline& option : command.options) {
        for (const std::string& name : option.names) {
            out += fmt::format("{}{}", separator,
                               described ? shell_word(name + ":" + option.help) : name);
        }
    }
}

// "name:help" as zsh's _describe reads it; a colon in the name would end it.
std::string described_commands(const CommandOutline& command) {
    std::string text;
    for (const CommandOutline& each : command.commands) {
        for (const std::string& name : names_of(each))
            text += " " + shell_word(name + ":" + each.help);
    }
    return text;
}

}  // namespace

std::string bash_completion(const CommandOutline& program) {
    std::string table;
    visit_commands(program, [&](const CommandOutline& command) {
        std::string options, commands;
        append_option_words(command, " ", false, options);
        if (&command != &program) append_option_words(program, " ", false, options);
        for (const CommandOutline& each : command.commands) {
            for (const std::string& name : names_of(each)) commands += " " + name;
        }
        table += fmt::format("        {}) options={} commands={} ;;\n", shell_word(command.path),
                             shell_word(options), shell_word(commands));
    });
    return fmt::format(
        R"(# bash completion for solis, written by `solis completion bash`.
_solis() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
    local place=solis options='' commands='' i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$place ${{COMP_WORDS[i]}}" in
{})"
        R"(        esac
    done
    COMPREPLY=()
    case "$place $before" in
{})"
        R"(    esac
    case "$place" in
{})"
        R"(    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$current"))
    elif [[ -n $commands ]]; then
        COMPREPLY=($(compgen -W "$commands" -- "$current"))
    fi
}}
complete -o default -F _solis solis
)",
        steps(program), values(program, R"(COMPREPLY=($(compgen -W "{}" -- "$current")); return)"),
        table);
}

std::string zsh_completion(const CommandOutline& program) {
    std::string table;
    visit_commands(program, [&](const CommandOutline& command) {
        std::string options;
        append_option_words(command, " ", true, options);
        if (&command != &program) append_option_words(program, " ", true, options);
        table += fmt::format("        {}) options=({}) commands=({}) ;;\n",
                             shell_word(command.path), options, described_commands(command));
    });
    return fmt::format(
        R"(#compdef solis
# zsh completion for solis, written by `solis completion zsh`.
_solis() {{
    local place=solis i
    local -a options commands
    for ((i = 2; i < CURRENT; i++)); do
        case "$place ${{words[i]}}" in
{})"
        R"(        esac
    done
    case "$place ${{words[CURRENT-1]}}" in
{})"
        R"(    esac
    case "$place" in
{})"
        R"(    esac
    if [[ $PREFIX == -* ]]; then
        _describe option options
    elif (( $#commands )); then
        _describe command commands
    else
        _files
    fi
}}
_solis "$@"
)",
        steps(program), values(program, "compadd -- {}; return"), table);
}

}  // namespace solis::cli
