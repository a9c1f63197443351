// Manual pages from the command line's own help.
#include "solis/cli/manual/man_page.h"

#include <algorithm>

#include <fmt/format.h>

namespace solis::cli {
namespace {

// A dash would be typeset as a hyphen, a backslash begins a command, and so does a dot or a quote
// at the beginning of a line.
std::string roff(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '-' || c == '\\') safe += '\\';
        safe += c == '\\' ? 'e' : c;
    }
    return safe.starts_with('.') || safe.starts_with('\'') ? "\\&" + safe : safe;
}

std::string dashed(std::string text) {
    std::ranges::replace(text, ' ', '-');
    return text;
}

void append_option_list(const CommandOutline& command, std::string_view section,
                        std::string& text) {
    if (command.options.empty()) return;
    text += fmt::format("{}\n", section);
    for (const OptionOutline& option : command.options) {
        std::string head;
        for (const std::string& name : option.names) {
            head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", roff(name));
        }
        if (!option.positional.empty()) head = fmt::format("\\fI{}\\fR", roff(option.positional));
        if (!option.value.empty()) head += fmt::format(" {}", roff(option.value));
        text += fmt::format(".TP\n{}\n{}\n", head, roff(option.help));
    }
}

std::string synopsis(const CommandOutline& command) {
    std::string text = fmt::format(".B {}\n[\\fIOPTIONS\\fR]", roff(command.path));
    if (!command.commands.empty()) text += " \\fICOMMAND\\fR ...";
    for (const OptionOutline& option : command.options) {
        if (!option.positional.empty()) text += fmt::format(" \\fI{}\\fR", roff(option.positional));
    }
    return text + "\n";
}

void append_commands_below(const CommandOutline& command, std::string& text) {
    for (const CommandOutline& each : command.commands) {
        text += fmt::format(".SH \"{}\"\n{}\n.PP\n{}", roff(each.path), roff(each.help),
                            synopsis(each));
        append_option_list(each, ".PP", text);
        append_commands_below(each, text);
    }
}

std::string heading(const CommandOutline& command, std::string_view version) {
    return fmt::format(".TH \"{}\" 1 \"\" \"solis {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                       dashed(command.path), roff(version), roff(dashed(command.path)),
                       roff(command.help));
}

ManPage page_of(const CommandOutline& command, std::string_view version) {
    std::string text = heading(command, version) + ".SH SYNOPSIS\n" + synopsis(command);
    append_option_list(command, ".SH OPTIONS", text);
    append_commands_below(command, text);
    text += ".SH \"SEE ALSO\"\n.BR solis (1)\n";
    return {dashed(command.path) + ".1", std::move(text)};
}

}  // namespace

std::vector<ManPage> man_pages(const CommandOutline& program, std::string_view version) {
    std::string text = heading(program, version) + ".SH SYNOPSIS\n" + synopsis(program);
    append_option_list(program, ".SH OPTIONS", text);
    text += ".SH COMMANDS\nEach has a page of its own.\n";
    std::vector<ManPage> pages;
    for (const CommandOutline& command : program.commands) {
        text +=
            fmt::format(".TP\n.BR {} (1)\n{}\n", roff(dashed(command.path)), roff(command.help));
        pages.push_back(page_of(command, version));
    }
    text +=
        ".SH \"EXIT STATUS\"\n0 where all went well, 1 where something failed, 2 for wrong usage.\n"
        ".SH \"SEE ALSO\"\nThe documents in /usr/share/doc/solis/docs.\n";
    pages.push_back({program.name + ".1", std::move(text)});
    return pages;
}

}  // namespace solis::cli
