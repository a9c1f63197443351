// Declaring the command line. A thin face of CLI11, which only arguments.cpp includes: its headers
// take longer to compile than any command.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "solis/base/result.h"
#include "solis/cli/manual/outline.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace solis::cli {

struct NumberRule;

// An option or positional argument; the calls refine it and return it.
class Option {
  public:
    // `rule` is that of a number, and empty for text and flags.
    Option(CLI::Option* option, std::shared_ptr<NumberRule> rule);

    Option* required();
    // Help shows the value the variable has now.
    Option* capture_default_str();
    // Of a number; both ends are allowed.
    Option* range(double low, double high);
    Option* positive();
    Option* one_of(std::vector<std::string> choices);
    // How many values it takes.
    Option* expected(int count);
    // Given without a value it means true: for a bool that may also be given as a value.
    Option* optional_value();
    // Takes one value each time it is given, so that a positional argument may follow.
    Option* one_at_a_time();
    // The heading it stands under in the help.
    Option* group(const std::string& heading);

    // How often it was given.
    [[nodiscard]] std::size_t count() const;
    // What was given, as text.
    [[nodiscard]] std::vector<std::string> results() const;
    [[nodiscard]] std::string name() const;

  private:
    CLI::Option* option_;
    std::shared_ptr<NumberRule> rule_;
};

// The variable that an option sets.
using OptionTarget =
    std::variant<std::string*, bool*, int*, std::int64_t*, std::uint64_t*, double*,
                 std::vector<std::string>*, std::vector<int>*, std::vector<double>*>;

// A command or subcommand.
class Command {
  public:
    // The whole program.
    Command(const std::string& description, const std::string& name);
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;
    ~Command();

    Command* add_subcommand(const std::string& name, const std::string& help);
    // "--name", "-n,--name", or "name" for a positional argument.
    template <class T>
    Option* add_option(const std::string& names, T& value, const std::string& help) {
        return add(names, &value, help);
    }
    Option* add_flag(const std::string& names, bool& value, const std::string& help);
    void add_flag_callback(const std::string& names, std::function<void()> given,
                           const std::string& help);
    // Another name under which the command is found.
    void alias(const std::string& name);
    void set_version_flag(const std::string& name, const std::string& text);
    // Called when the command was given and its arguments are in place.
    void callback(std::function<void()> run);
    // Called before that, when parsing has ended: the place for usage_error().
    void parse_complete_callback(std::function<void()> settle);
    void require_subcommand();
    // Lets a subcommand take the options of its parent, too.
    void fallthrough();

    // The help of the subcommand that `path` leads to, for example {"data", "import"}.
    [[nodiscard]] Result<std::string> help(std::span<const std::string> path) const;

    // This command and all below it, as data.
    [[nodiscard]] CommandOutline outline() const;

    struct Parsed {
        // Help or version, to be printed; empty where a callback has run.
        std::optional<std::string> text;
    };
    // Parses and calls the callbacks. The failure is wrong usage: it names what was typed, and for
    // a mistyped word the nearest one there is.
    [[nodiscard]] Result<Parsed> parse(int argc, const char* const* argv);

  private:
    explicit Command(CLI::App* app);
    Option* add(const std::string& names, OptionTarget target, const std::string& help);

    std::unique_ptr<CLI::App> owned_;  // of the whole program only
    CLI::App* app_;
    std::vector<std::unique_ptr<Command>> subcommands_;
    std::vector<std::unique_ptr<Option>> options_;
};

// From inside a callback: the value of an option makes no sense. Reported as wrong usage.
[[noreturn]] void usage_error(const std::string& option, const std::string& what);

}  // namespace solis::cli
