// Reading and writing player texts.
#include "solis/lab/player_spec.h"

#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/data/formats/fields.h"
#include "solis/engine/client/find_engine.h"
#include "solis/engine/words.h"
#include "solis/lab/key_values.h"

namespace solis::lab {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kOptionPrefix = "option.";
constexpr std::string_view kInternal = "internal";
constexpr double kMaxSeconds = 1e6;  // ten days

std::optional<milliseconds> from_seconds(std::optional<double> seconds) {
    if (!seconds || !(*seconds >= 0) || *seconds > kMaxSeconds) return std::nullopt;
    return milliseconds(std::llround(*seconds * 1000));
}

// "90", "0.05", "1:30".
std::optional<milliseconds> parse_clock_time(std::string_view text) {
    double minutes = 0;
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        const auto whole = data::parse_number<int>(text.substr(0, colon));
        if (!whole || *whole < 0) return std::nullopt;
        minutes = *whole;
        text.remove_prefix(colon + 1);
    }
    const auto seconds = data::parse_number<double>(text);
    if (!seconds) return std::nullopt;
    return from_seconds(60 * minutes + *seconds);
}

// "50ms", "2s", "1min", "0.5": seconds where no unit is given.
std::optional<milliseconds> parse_duration(std::string_view text) {
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"ms", 0.001}, {"min", 60}, {"s", 1}, {"", 1}};
    for (const auto& [unit, factor] : kUnits) {
        if (!text.ends_with(unit)) continue;
        const auto number = data::parse_number<double>(text.substr(0, text.size() - unit.size()));
        return number ? from_seconds(*number * factor) : std::nullopt;
    }
    return std::nullopt;
}

Result<ClockControl> parse_clock(std::string_view text) {
    const std::string_view whole = text;
    const auto wrong = [&] {
        return fail(fmt::format("{} is no time control", solis::in_quotes(whole)),
                    "tc=[MOVES/]TIME[+INCREMENT] in seconds, for example tc=10+0.1 or tc=40/5:00");
    };
    ClockControl clock;
    if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
        const auto moves = data::parse_number<int>(text.substr(0, slash));
        if (!moves || *moves < 1) return wrong();
        clock.moves = *moves;
        text.remove_prefix(slash + 1);
    }
    if (const std::size_t plus = text.find('+'); plus != std::string_view::npos) {
        const auto increment = parse_clock_time(text.substr(plus + 1));
        if (!increment) return wrong();
        clock.increment = *increment;
        text = text.substr(0, plus);
    }
    const auto base = parse_clock_time(text);
    if (!base || base->count() + clock.increment.count() == 0) return wrong();
    clock.base = *base;
    return clock;
}

// False where `key` is no limit.
Result<bool> take_limit(const std::string& key, const std::string& value, ThinkLimits& limits) {
    if (key == "tc") {
        const auto clock = parse_clock(value);
        if (!clock) return tl::unexpected(clock.error());
        limits.clock = *clock;
    } else if (key == "st") {
        limits.movetime = parse_duration(value);
        if (!limits.movetime || limits.movetime->count() == 0) {
            return fail(fmt::format("st={} is no time per move", value),
                        "for example st=50ms or st=1.5");
        }
    } else if (key == "nodes") {
        limits.nodes = data::parse_number<std::uint64_t>(value);
        if (!limits.nodes || *limits.nodes == 0) {
            return fail(fmt::format("nodes={} is no number of nodes", value));
        }
    } else if (key == "depth") {
        limits.depth = data::parse_number<int>(value);
        if (!limits.depth || *limits.depth < 1) {
            return fail(fmt::format("depth={} is no depth", value));
        }
    } else {
        return false;
    }
    return true;
}

void set_option(PlayerSpec& player, std::string_view name, const std::string& value) {
    for (auto& [known, old] : player.options) {
        if (known == name) {
            old = value;
            return;
        }
    }
    player.options.emplace_back(name, value);
}

Result<void> take_item(const std::string& key, const std::string& value, PlayerSpec& player,
                       ThinkLimits& limits) {
    const auto is_limit = take_limit(key, value, limits);
    if (!is_limit) return tl::unexpected(is_limit.error());
    if (*is_limit) return {};
    if (key == "name") {
        player.name = value;
    } else if (key == "cmd") {
        player.program = value;
    } else if (key == "arg") {
        player.arguments.push_back(value);
    } else if (key.starts_with(kOptionPrefix) && key.size() > kOptionPrefix.size()) {
        set_option(player, std::string_view(key).substr(kOptionPrefix.size()), value);
    } else {
        return fail(fmt::format("unknown key {}", solis::in_quotes(key)),
                    "keys are name, cmd, arg, option.NAME, tc, st, nodes, depth");
    }
    return {};
}

Result<PlayerSpec> parse(std::string_view text, const PlayerSpec& defaults) {
    auto items = parse_key_values(text);
    if (!items) return tl::unexpected(items.error());
    // "stockfish,nodes=100": the first word is the command.
    if (!items->empty() && text.substr(0, text.find(',')).find('=') == std::string_view::npos) {
        items->front() = {"cmd", items->front().first};
    }
    PlayerSpec player = defaults;
    ThinkLimits limits;
    for (const auto& [key, value] : *items) {
        if (auto taken = take_item(key, value, player, limits); !taken) {
            return fail_in(fmt::format("engine {}", solis::in_quotes(text)), taken.error());
        }
    }
    if (limits.any()) player.limits = limits;
    return player;
}

std::string seconds_text(milliseconds time) {
    return fmt::format("{}", static_cast<double>(time.count()) / 1000);
}

std::string clock_text(const ClockControl& clock) {
    std::string text = clock.moves > 0 ? fmt::format("{}/", clock.moves) : "";
    text += seconds_text(clock.base);
    if (clock.increment.count() > 0) text += fmt::format("+{}", seconds_text(clock.increment));
    return text;
}

// Several engines share the process, and with it what there is only one of.
Result<void> check_internal(const PlayerSpec& player) {
    if (!player.arguments.empty()) {
        return fail(fmt::format("engine '{}' is no process and takes no arg", player.name),
                    "cmd=solis starts one");
    }
    for (const auto& option : player.options) {
        if (!engine::same_ignoring_case(option.first, "SyzygyPath")) continue;
        return fail(fmt::format("engine '{}' cannot have tablebases of its own", player.name),
                    "cmd=solis can; --tablebases ends games of a match");
    }
    return {};
}

}  // namespace

std::string ThinkLimits::text() const {
    std::vector<std::string> parts;
    if (clock) parts.push_back(clock_text(*clock));
    if (movetime) parts.push_back(fmt::format("{} ms", movetime->count()));
    if (nodes) parts.push_back(fmt::format("{} nodes", *nodes));
    if (depth) parts.push_back(fmt::format("depth {}", *depth));
    return fmt::format("{}", fmt::join(parts, ", "));
}

Result<PlayerSpec> parse_player(std::string_view text, const PlayerSpec& defaults) {
    auto player = parse(text, defaults);
    if (!player) return player;
    if (player->program.empty()) {
        return fail(fmt::format("engine {} has no command", solis::in_quotes(text)),
                    "for example cmd=stockfish");
    }
    if (player->name.empty()) {
        player->name = std::filesystem::path(player->program).filename().string();
    }
    return player;
}

Result<PlayerSpec> parse_player_defaults(std::string_view text) { return parse(text, {}); }

std::string to_text(const PlayerSpec& player) {
    std::vector<std::string> items;
    const auto add = [&](std::string_view key, std::string_view value) {
        items.push_back(fmt::format("{}={}", key, quoted_value(value)));
    };
    add("name", player.name);
    add("cmd", player.program);
    for (const std::string& argument : player.arguments) add("arg", argument);
    for (const auto& [name, value] : player.options) {
        add(fmt::format("{}{}", kOptionPrefix, name), value);
    }
    const ThinkLimits& limits = player.limits;
    if (limits.clock) add("tc", clock_text(*limits.clock));
    if (limits.movetime) add("st", fmt::format("{}ms", limits.movetime->count()));
    if (limits.nodes) add("nodes", std::to_string(*limits.nodes));
    if (limits.depth) add("depth", std::to_string(*limits.depth));
    return fmt::format("{}", fmt::join(items, ","));
}

Result<engine::EngineSpec> to_engine(const PlayerSpec& player, const OwnProgram& own) {
    engine::EngineSpec spec;
    if (player.program == kInternal) {
        if (auto possible = check_internal(player); !possible) {
            return tl::unexpected(possible.error());
        }
        spec.command = {own.name};
        spec.in_process = true;
    } else if (player.program == "solis") {
        spec.command = {own.binary};
        // As every other match runner wants it said; a second "uci" would be a command to the
        // engine.
        const bool said = !player.arguments.empty() && player.arguments.front() == "uci";
        if (!said) spec.command.push_back("uci");
    } else {
        const auto path = player.program == "stockfish" ? engine::find_stockfish()
                                                        : engine::find_engine(player.program);
        if (!path) return tl::unexpected(path.error());
        spec.command = {*path};
    }
    spec.command.insert(spec.command.end(), player.arguments.begin(), player.arguments.end());
    spec.options = player.options;
    return spec;
}

}  // namespace solis::lab
