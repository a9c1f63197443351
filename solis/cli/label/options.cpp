// From the command line to a labelling run.
#include "solis/cli/label/options.h"

#include <algorithm>
#include <charconv>
#include <thread>

#include <fmt/format.h>

#include "solis/engine/client/find_engine.h"

namespace solis::cli {
namespace {

constexpr int kMaxProcesses = 1024;

int core_count() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

planner::Limits limits_of(const LabelFlags& flags) {
    planner::Limits limits;
    if (flags.depth > 0) limits.depth = flags.depth;
    if (flags.movetime > 0) limits.movetime = std::chrono::milliseconds(flags.movetime);
    const bool by_nodes = flags.depth == 0 && flags.movetime == 0 && flags.nodes > 0;
    if (by_nodes) limits.nodes = flags.nodes;
    if (flags.depth == 0 && flags.movetime == 0 && !by_nodes) limits.depth = kDefaultDepth;
    return limits;
}

bool parse_number(const std::string& text, int& value) {
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stopped == end;
}

// Also the place where text becomes numbers: what makes no sense is wrong usage.
void settle(LabelFlags& flags) {
    flags.labels.limits = limits_of(flags);
    flags.labels.second_limits = {.nodes = flags.second_nodes};
    if (flags.labels.again && flags.labels.second_share == 0) flags.labels.second_share = 1;
    int& children = flags.labels.children.per_position;
    if (flags.children == "all") {
        children = data::ChildOptions::kAll;
    } else if (!parse_number(flags.children, children) || children < 0) {
        usage_error("--children", "is a number or 'all'");
    }
    if (flags.opening_plies.size() == 2) {
        flags.play.min_opening_plies = flags.opening_plies[0];
        flags.play.max_opening_plies = flags.opening_plies[1];
    }
    if (flags.play.max_opening_plies < flags.play.min_opening_plies) {
        usage_error("--opening-plies", "is MIN MAX with MIN <= MAX");
    }
}

Result<std::pair<std::string, std::string>> parse_engine_option(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        return fail(fmt::format("'{}' is not NAME=VALUE", text), "for example --option Hash=16");
    }
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

void add_self_play_flags(Command& command, LabelFlags& flags) {
    lab::SelfPlayOptions& play = flags.play;
    command
        .add_option("--opening-plies", flags.opening_plies,
                    "MIN MAX random moves before the engine plays (default 2 9)")
        ->expected(2)
        ->range(0, 40);
    command.add_option("--noise", play.noise, "shares of random moves; each game draws one")
        ->range(0.0, 1.0)
        ->capture_default_str();
    command.add_option("--max-plies", play.max_plies, "longest game of self-play")
        ->range(1, 2000)
        ->capture_default_str();
}

void add_search_flags(Command& command, LabelFlags& flags) {
    command
        .add_option("--depth", flags.depth,
                    fmt::format("depth per position (default {} unless nodes or time are given)",
                                kDefaultDepth))
        ->range(1, 200);
    command.add_option("--nodes", flags.nodes, "nodes per position instead of a depth")->positive();
    command
        .add_option("--movetime", flags.movetime, "milliseconds per position instead of a depth")
        ->range(1, 3'600'000);
    command
        .add_option("--second-look", flags.labels.second_share,
                    "share of positions that are searched again with --second-nodes (default 0, "
                    "with --again 1)")
        ->range(0.0, 1.0);
    command.add_flag("--again", flags.labels.again,
                     "keep the labels of --from and only add second looks");
    command.add_option("--second-nodes", flags.second_nodes, "nodes of the second look")
        ->positive()
        ->capture_default_str();
    command.add_option("--timeout", flags.timeout, "seconds after which a search hangs")
        ->range(0.01, 86400.0)
        ->capture_default_str();
}

}  // namespace

void add_label_flags(Command& command, LabelFlags& flags) {
    command.add_option("--engine", flags.engine, "UCI engine (default: the installed Stockfish)");
    command.add_option("--teacher", flags.teacher,
                       "label with this net of Stockfish 15.1 inside this process instead of an "
                       "engine (the engine's command 'export_net FILE' writes it)");
    command
        .add_option("--plies", flags.plies,
                    "of --teacher before quiescence (default 0, in self-play 1)")
        ->range(0, 1);
    command.add_option("--option", flags.options, "engine option NAME=VALUE, any number of them");
    command.add_option("--processes", flags.processes, "engines at once (default: one per core)")
        ->range(1, kMaxProcesses);
    command.add_option("--seed", flags.seed, "of openings, noise and children")
        ->capture_default_str();
    command
        .add_option("--children", flags.children,
                    "random moves not played to label at each position, or 'all'")
        ->capture_default_str();
    command
        .add_option("--two-ply-share", flags.labels.children.two_ply_share,
                    "of these children that get a random reply, too")
        ->range(0.0, 1.0)
        ->capture_default_str();
    command
        .add_option("--pipeline", flags.pipeline,
                    "searches sent ahead (default: 32 for Stockfish, 1 for others)")
        ->range(1, 256);
    add_search_flags(command, flags);
    add_self_play_flags(command, flags);
    command.parse_complete_callback([&flags] { settle(flags); });
}

int plies_of(const LabelFlags& flags, bool self_play) {
    return flags.plies >= 0 ? flags.plies : self_play ? 1 : 0;
}

Result<PreparedRun> prepare_teacher_run(const LabelFlags& flags, bool self_play) {
    const int plies = plies_of(flags, self_play);
    if (self_play && plies == 0) {
        return fail("quiescence finds no move to play", "self-play needs --plies 1");
    }
    if (flags.labels.second_share > 0) {
        return fail("the teacher has no second look", "leave --second-look or --teacher out");
    }
    if (!flags.engine.empty() || !flags.options.empty()) {
        return fail("--teacher labels without an engine", "leave --engine and --option out");
    }
    auto net = model::load_teacher_net(flags.teacher);
    if (!net) return tl::unexpected(net.error());
    lab::LabelRun run;
    run.processes = flags.processes > 0 ? flags.processes : core_count();
    run.labels = flags.labels;
    run.teacher = std::move(*net);
    run.teacher_depth = plies == 0 ? model::TeacherDepth::Quiescence : model::TeacherDepth::OnePly;
    const std::string name = run.teacher->name;
    return PreparedRun{std::move(run), name};
}

std::string describe_depth(const LabelFlags& flags, const lab::LabelRun& run) {
    if (!run.teacher) return describe_limits(flags.labels.limits);
    return run.teacher_depth == model::TeacherDepth::Quiescence ? "quiescence"
                                                                : "one ply and quiescence";
}

Result<PreparedRun> prepare_label_run(const LabelFlags& flags, bool chess960) {
    const auto path =
        flags.engine.empty() ? engine::find_stockfish() : engine::find_engine(flags.engine);
    if (!path) return tl::unexpected(path.error());
    lab::LabelRun run;
    run.engine.command = {*path};
    if (chess960) run.engine.options.emplace_back("UCI_Chess960", "true");
    for (const std::string& text : flags.options) {
        auto option = parse_engine_option(text);
        if (!option) return tl::unexpected(option.error());
        run.engine.options.push_back(std::move(*option));
    }
    run.processes = flags.processes > 0 ? flags.processes : core_count();
    run.labels = flags.labels;
    run.pipeline_depth = flags.pipeline;
    run.search_timeout = std::chrono::milliseconds(static_cast<long long>(flags.timeout * 1000));

    const auto probe = engine::UciClient::start(run.engine);
    if (!probe) return tl::unexpected(probe.error());
    if (const engine::UciOption* hash = probe->find_option("Hash")) {
        run.engine.options.emplace(run.engine.options.begin(), "Hash", std::to_string(hash->min));
    }
    return PreparedRun{std::move(run), probe->name()};
}

std::string describe_limits(const planner::Limits& limits) {
    if (limits.nodes) return fmt::format("{} nodes", *limits.nodes);
    if (limits.depth && limits.movetime) {
        return fmt::format("depth {} or {} ms", *limits.depth, limits.movetime->count());
    }
    if (limits.depth) return fmt::format("depth {}", *limits.depth);
    return fmt::format("{} ms", limits.movetime ? limits.movetime->count() : 0);
}

std::string describe_self_play(const LabelFlags& flags) {
    const lab::SelfPlayOptions& play = flags.play;
    return fmt::format("self-play, {}-{} random opening plies, noise {}, at most {} plies",
                       play.min_opening_plies, play.max_opening_plies, fmt::join(play.noise, " "),
                       play.max_plies);
}

std::string describe_labels(const LabelFlags& flags) {
    std::string text = flags.labels.again
                           ? "looked at again"
                           : fmt::format("children {} ({} two plies off)", flags.children,
                                         flags.labels.children.two_ply_share);
    if (flags.labels.second_share > 0) {
        text += fmt::format(", second look {} at {}", flags.labels.second_share,
                            describe_limits(flags.labels.second_limits));
    }
    for (const std::string& option : flags.options) text += ", " + option;
    return text;
}

}  // namespace solis::cli
