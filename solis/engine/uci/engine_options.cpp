// The table of options.
#include "solis/engine/uci/engine_options.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/engine/words.h"
#include "solis/planner/plan.h"

namespace solis::engine {
namespace {

const EngineOptions kDefaults;

OptionEntry check(const char* name, bool EngineOptions::*member) {
    return {{.name = name,
             .type = OptionType::Check,
             .default_value = kDefaults.*member ? "true" : "false"},
            member};
}

OptionEntry spin(const char* name, int EngineOptions::*member, int min, int max) {
    return {{.name = name,
             .type = OptionType::Spin,
             .default_value = fmt::format("{}", kDefaults.*member),
             .min = min,
             .max = max},
            member};
}

OptionEntry combo(const char* name, std::string EngineOptions::*member,
                  std::vector<std::string> choices) {
    return {{.name = name,
             .type = OptionType::Combo,
             .default_value = kDefaults.*member,
             .choices = std::move(choices)},
            member};
}

OptionEntry text(const char* name, std::string EngineOptions::*member) {
    return {{.name = name, .type = OptionType::String, .default_value = kDefaults.*member}, member};
}

OptionEntry button(const char* name) { return {{.name = name, .type = OptionType::Button}, {}}; }

const char* name_of(OptionType type) {
    switch (type) {
        case OptionType::Check:
            return "check";
        case OptionType::Spin:
            return "spin";
        case OptionType::Combo:
            return "combo";
        case OptionType::Button:
            return "button";
        case OptionType::String:
            break;
    }
    return "string";
}

// The spelling that the option itself uses, where case is all that differs.
std::string canonical(const UciOption& option, std::string_view value) {
    std::vector<std::string> known = option.choices;
    if (option.type == OptionType::Check) known = {"true", "false"};
    for (const std::string& choice : known) {
        if (same_ignoring_case(choice, value)) return choice;
    }
    if (option.type == OptionType::String && value == "<empty>") return {};
    return std::string(value);
}

void store(const OptionMember& member, const std::string& value, EngineOptions& options) {
    if (const auto* flag = std::get_if<bool EngineOptions::*>(&member)) {
        options.*(*flag) = value == "true";
    } else if (const auto* number = std::get_if<int EngineOptions::*>(&member)) {
        read_number(value, options.*(*number));
    } else if (const auto* string = std::get_if<std::string EngineOptions::*>(&member)) {
        options.*(*string) = value;
    }
}

}  // namespace

std::vector<OptionEntry> option_table() {
    using O = EngineOptions;
    using S = planner::Settings;
    return {text("Debug Log File", &O::debug_log_file),
            spin("Threads", &O::threads, 1, S::kMaxThreads),
            spin("Hash", &O::hash, 1, static_cast<int>(S::kMaxHashMegabytes)),
            button("Clear Hash"),
            check("Ponder", &O::ponder),
            spin("MultiPV", &O::multi_pv, 1, 256),
            spin("Move Overhead", &O::move_overhead, 0, 5000),
            check("UCI_Chess960", &O::chess960),
            check("UCI_LimitStrength", &O::limit_strength),
            spin("UCI_Elo", &O::elo, S::kMinElo, S::kMaxElo),
            check("UCI_ShowWDL", &O::show_wdl),
            check("UCI_AnalyseMode", &O::analyse_mode),
            text("UCI_Opponent", &O::opponent),
            text("UCI_EngineAbout", &O::about),
            text("SyzygyPath", &O::syzygy_path),
            check("OwnBook", &O::own_book),
            text("BookFile", &O::book_file),
            text("WeightsFile", &O::weights_file),
            text("EncoderCommand", &O::encoder_command),
            combo("Plan", &O::plan, {"paper", "deep", "puct"}),
            spin("Width", &O::width, 1, S::kMaxWidth),
            spin("Depth", &O::depth, 1, S::kMaxPlies),
            combo("Scoring", &O::scoring, {"Directional", "Anchored"}),
            check("VerboseMoveStats", &O::verbose_move_stats)};
}

std::string option_line(const UciOption& option) {
    std::string line = fmt::format("option name {} type {}", option.name, name_of(option.type));
    if (option.type == OptionType::Button) return line;
    line += " default ";
    line += option.type == OptionType::String && option.default_value.empty()
                ? "<empty>"
                : option.default_value;
    if (option.type == OptionType::Spin) {
        fmt::format_to(std::back_inserter(line), " min {} max {}", option.min, option.max);
    }
    for (const std::string& choice : option.choices) line += " var " + choice;
    return line;
}

Result<std::string> set_option(const std::vector<OptionEntry>& table, std::string_view name,
                               std::string_view value, EngineOptions& options) {
    const auto entry = std::find_if(table.begin(), table.end(), [&](const OptionEntry& e) {
        return same_ignoring_case(e.option.name, name);
    });
    if (entry == table.end()) {
        return fail(fmt::format("no option {}", in_quotes(name)), "'uci' lists the options");
    }
    const std::string wanted = canonical(entry->option, value);
    if (auto ok = entry->option.check(wanted); !ok) return tl::unexpected(ok.error());
    store(entry->member, wanted, options);
    return entry->option.name;
}

}  // namespace solis::engine
