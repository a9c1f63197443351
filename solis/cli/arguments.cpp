// The command line through CLI11.
#include "solis/cli/arguments.h"

#include <algorithm>
#include <cassert>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/cli/number_rule.h"

namespace solis::cli {
namespace {

NumberRule rule_for(const OptionTarget& target) {
    NumberRule rule;
    if (std::holds_alternative<int*>(target)) rule.kind = NumberRule::Kind::Int32;
    if (std::holds_alternative<std::vector<int>*>(target)) rule.kind = NumberRule::Kind::Int32;
    if (std::holds_alternative<std::int64_t*>(target)) rule.kind = NumberRule::Kind::Int64;
    if (std::holds_alternative<std::uint64_t*>(target)) rule.kind = NumberRule::Kind::Unsigned64;
    return rule;
}

bool is_numeric(const OptionTarget& target) {
    return !std::holds_alternative<std::string*>(target) &&
           !std::holds_alternative<bool*>(target) &&
           !std::holds_alternative<std::vector<std::string>*>(target);
}

// "solis data import" for the subcommand import of data.
std::string path_of(const CLI::App& app) {
    if (app.get_parent() == nullptr) return app.get_name();
    return path_of(*app.get_parent()) + " " + app.get_name();
}

// The subcommand that was being parsed.
const CLI::App& innermost(const CLI::App& app) {
    const auto parsed = app.get_subcommands();
    return parsed.empty() ? app : innermost(*parsed.back());
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(sub->get_name());
        const auto& aliases = sub->get_aliases();
        names.insert(names.end(), aliases.begin(), aliases.end());
    }
    return names;
}

// With their dashes; those of the commands above count, too.
std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* at = &app; at != nullptr; at = at->get_parent()) {
        for (const CLI::Option* option : at->get_options()) {
            for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
            for (const std::string& name : option->get_snames()) names.push_back("-" + name);
        }
    }
    return names;
}

std::string help_hint(const CLI::App& app) { return fmt::format("see '{} --help'", path_of(app)); }

Error unknown_word(const CLI::App& app, const std::string& typed) {
    const bool is_option = typed.size() > 1 && typed.starts_with('-');
    const std::string word = is_option ? typed.substr(0, typed.find('=')) : typed;
    const std::vector<std::string> names = is_option ? option_names(app) : command_names(app);
    const std::string close = nearest(word, names);
    const std::string hint = close.empty()
                                 ? help_hint(app)
                                 : fmt::format("did you mean '{}'? {}", close, help_hint(app));
    if (is_option)
        return {fmt::format("'{}' has no option {}", path_of(app), in_quotes(word)), hint};
    if (names.empty()) {
        return {fmt::format("'{}' does not take {}", path_of(app), in_quotes(word)), hint};
    }
    return {fmt::format("'{}' has no command {}", path_of(app), in_quotes(word)), hint};
}

// "a, b" of a type name "TEXT:{a, b}", which one_of() made; none for others.
std::vector<std::string> choices_in(const std::string& type_name) {
    const std::size_t begin = type_name.find('{'), end = type_name.rfind('}');
    if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
    return CLI::detail::split_up(type_name.substr(begin + 1, end - begin - 1), ',');
}

OptionOutline outline_of(const CLI::Option& option) {
    OptionOutline outline{.names = {},
                          .positional = {},
                          .value = {},
                          .choices = {},
                          .help = option.get_description()};
    for (const std::string& name : option.get_lnames()) outline.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) outline.names.push_back("-" + name);
    if (outline.names.empty()) outline.positional = option.get_name(true);
    if (option.get_items_expected_max() == 0) return outline;
    outline.value = option.get_type_name();
    outline.choices = choices_in(outline.value);
    if (!option.get_default_str().empty()) outline.value += "=" + option.get_default_str();
    return outline;
}

CommandOutline outline_of(const CLI::App& app) {
    CommandOutline outline{.path = path_of(app),
                           .name = app.get_name(),
                           .aliases = app.get_aliases(),
                           .help = app.get_description(),
                           .options = {},
                           .commands = {}};
    for (const CLI::Option* option : app.get_options()) {
        outline.options.push_back(outline_of(*option));
    }
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
        outline.commands.push_back(outline_of(*sub));
    }
    return outline;
}

// What CLI11 objects to, in our words.
Error describe(const CLI::App& root, const CLI::ParseError& error) {
    const CLI::App& app = innermost(root);
    std::vector<std::string> left = root.remaining(true);
    std::erase(left, "--");
    // By type: the name of an ExtrasError is that of the command.
    const bool lacks_something = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
    const bool has_too_much = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    if ((lacks_something || has_too_much) && !left.empty()) {
        const auto option = std::find_if(left.begin(), left.end(), [](const std::string& word) {
            return word.size() > 1 && word.starts_with('-');
        });
        return unknown_word(app, option == left.end() ? left.front() : *option);
    }
    const std::vector<std::string> commands = command_names(app);
    if (lacks_something && !commands.empty()) {
        return {fmt::format("'{}' needs a command", path_of(app)),
                fmt::format("one of: {}", fmt::join(commands, ", "))};
    }
    const std::string text = error.what();
    const bool is_mismatch = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
    if (is_mismatch && text.ends_with("missing")) {
        return {fmt::format("{} needs a value", text.substr(0, text.find(':'))), help_hint(app)};
    }
    return {text, help_hint(app)};
}

}  // namespace

Option::Option(CLI::Option* option, std::shared_ptr<NumberRule> rule)
    : option_(option), rule_(std::move(rule)) {
    if (!rule_) return;
    option_->type_name_fn([rule = rule_] { return rule->type_name(); });
    option_->check(CLI::Validator(
        [rule = rule_](const std::string& text) { return rule->objection(text); }, ""));
}

Option* Option::required() {
    option_->required();
    return this;
}
Option* Option::capture_default_str() {
    option_->capture_default_str();
    return this;
}
Option* Option::range(double low, double high) {
    assert(rule_ && "of a number");
    rule_->low = low;
    rule_->high = high;
    return this;
}
Option* Option::positive() {
    assert(rule_ && "of a number");
    rule_->above_zero = true;
    return this;
}
Option* Option::one_of(std::vector<std::string> choices) {
    const std::string all = fmt::format("{}", fmt::join(choices, ", "));
    option_->check(CLI::Validator(
        [choices = std::move(choices), all](const std::string& text) {
            if (std::find(choices.begin(), choices.end(), text) != choices.end()) {
                return std::string();
            }
            return fmt::format("{} is not one of: {}", in_quotes(text), all);
        },
        "{" + all + "}"));
    return this;
}
Option* Option::optional_value() {
    // The library takes the default text where no value follows; the help must not show it as such.
    option_->expected(0, 1)->default_str("true")->option_text("[true|false]");
    return this;
}

Option* Option::expected(int count) {
    option_->expected(count);
    return this;
}
Option* Option::one_at_a_time() {
    option_->allow_extra_args(false);
    return this;
}
Option* Option::group(const std::string& heading) {
    option_->group(heading);
    return this;
}
std::size_t Option::count() const { return option_->count(); }
std::vector<std::string> Option::results() const { return option_->results(); }
std::string Option::name() const { return option_->get_name(); }

Command::Command(const std::string& description, const std::string& name)
    : owned_(std::make_unique<CLI::App>(description, name)), app_(owned_.get()) {}
Command::Command(CLI::App* app) : app_(app) {}
Command::~Command() = default;

Command* Command::add_subcommand(const std::string& name, const std::string& help) {
    subcommands_.emplace_back(new Command(app_->add_subcommand(name, help)));
    return subcommands_.back().get();
}

Option* Command::add(const std::string& names, OptionTarget target, const std::string& help) {
    CLI::Option* const option =
        std::visit([&](auto* value) { return app_->add_option(names, *value, help); }, target);
    auto rule = is_numeric(target) ? std::make_shared<NumberRule>(rule_for(target)) : nullptr;
    options_.push_back(std::make_unique<Option>(option, std::move(rule)));
    return options_.back().get();
}

Option* Command::add_flag(const std::string& names, bool& value, const std::string& help) {
    options_.push_back(std::make_unique<Option>(app_->add_flag(names, value, help), nullptr));
    return options_.back().get();
}

void Command::add_flag_callback(const std::string& names, std::function<void()> given,
                                const std::string& help) {
    app_->add_flag_callback(names, std::move(given), help);
}

void Command::set_version_flag(const std::string& name, const std::string& text) {
    app_->set_version_flag(name, text);
}

void Command::alias(const std::string& name) { app_->alias(name); }
void Command::callback(std::function<void()> run) { app_->callback(std::move(run)); }
void Command::parse_complete_callback(std::function<void()> settle) {
    app_->parse_complete_callback(std::move(settle));
}
void Command::require_subcommand() { app_->require_subcommand(1); }
void Command::fallthrough() { app_->fallthrough(); }

Result<std::string> Command::help(std::span<const std::string> path) const {
    const CLI::App* app = app_;
    for (const std::string& name : path) {
        const auto named =
            app->get_subcommands([&](const CLI::App* sub) { return sub->check_name(name); });
        if (named.empty()) return tl::unexpected(unknown_word(*app, name));
        app = named.front();
    }
    std::string above;
    if (!path.empty()) above = path_of(*app->get_parent());
    return app->help(above);
}

CommandOutline Command::outline() const { return outline_of(*app_); }

Result<Command::Parsed> Command::parse(int argc, const char* const* argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        // "solis ranc --help" asks for the help of a command that does not exist.
        if (const auto left = app_->remaining(true); !left.empty()) {
            return tl::unexpected(unknown_word(innermost(*app_), left.front()));
        }
        return Parsed{.text = app_->help()};
    } catch (const CLI::CallForVersion& version) {
        return Parsed{.text = std::string(version.what()) + "\n"};
    } catch (const CLI::ParseError& error) {
        return tl::unexpected(describe(*app_, error));
    }
    return Parsed{};
}

void usage_error(const std::string& option, const std::string& what) {
    throw CLI::ValidationError(option, what);
}

}  // namespace solis::cli
