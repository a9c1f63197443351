// The command line through CLI11.
#include "solis/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace solis::cli {

Option* Option::required() {
    option_->required();
    return this;
}
Option* Option::capture_default_str() {
    option_->capture_default_str();
    return this;
}
Option* Option::range(double low, double high) {
    // Named, because the library would call every range one of floats.
    option_->check(CLI::Range(low, high, fmt::format("{}..{}", low, high)));
    return this;
}
Option* Option::positive() {
    option_->check(CLI::PositiveNumber);
    return this;
}
Option* Option::one_of(std::vector<std::string> choices) {
    option_->check(CLI::IsMember(std::move(choices)));
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
    options_.push_back(std::make_unique<Option>(option));
    return options_.back().get();
}

Option* Command::add_flag(const std::string& names, bool& value, const std::string& help) {
    options_.push_back(std::make_unique<Option>(app_->add_flag(names, value, help)));
    return options_.back().get();
}

void Command::add_flag_callback(const std::string& names, std::function<void()> given,
                                const std::string& help) {
    app_->add_flag_callback(names, std::move(given), help);
}

void Command::set_version_flag(const std::string& name, const std::string& text) {
    app_->set_version_flag(name, text);
}

void Command::callback(std::function<void()> run) { app_->callback(std::move(run)); }
void Command::parse_complete_callback(std::function<void()> settle) {
    app_->parse_complete_callback(std::move(settle));
}
void Command::require_subcommand() { app_->require_subcommand(1); }
void Command::fallthrough() { app_->fallthrough(); }

Command::Parsed Command::parse(int argc, const char* const* argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        app_->exit(error);
        return error.get_exit_code() == 0 ? Parsed::Informed : Parsed::WrongUsage;
    }
    return Parsed::Ran;
}

void usage_error(const std::string& option, const std::string& what) {
    throw CLI::ValidationError(option, what);
}

}  // namespace solis::cli
