// solis bench tune: constants of the deep plan tuned together, by games of the plan against itself.
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/base/file.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/cli/bench/benchmarks.h"
#include "solis/lab/duel/plan_duel.h"
#include "solis/lab/duel/spsa.h"
#include "solis/model/open.h"

namespace solis::cli {
namespace {

struct TuneOptions {
    std::string model;
    std::string state;
    std::vector<std::string> numbers;
    std::uint64_t pairs = 5000;
    double rate = 0.02;
    int cpu_ms = 2;
    std::uint64_t seed = 1;
};

constexpr std::size_t kLargestState = 1 << 20;

Result<std::vector<lab::TunedNumber>> read_numbers(const std::vector<std::string>& texts) {
    std::vector<lab::TunedNumber> numbers;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const std::string name = text.substr(0, equals);
        const auto start = planner::constant(planner::DeepTuning{}, name);
        if (!start) {
            return fail(fmt::format("the deep plan has no constant '{}'", name),
                        "for example reverse-futility-margin=20");
        }
        char* end = nullptr;
        const std::string step = equals == std::string::npos ? "" : text.substr(equals + 1);
        const double size = std::strtod(step.c_str(), &end);
        if (step.empty() || *end != '\0' || !(size > 0) || !std::isfinite(size)) {
            return fail(fmt::format("'{}' has no step", text),
                        "write NAME=STEP, for example "
                        "reverse-futility-margin=20");
        }
        numbers.push_back({name, static_cast<double>(*start), size});
    }
    return numbers;
}

// The tuning in the state file, or a new one.
Result<lab::Spsa> open_tuning(const TuneOptions& options) {
    if (std::filesystem::exists(options.state)) {
        const auto text = read_file(options.state, kLargestState);
        if (!text) return tl::unexpected(text.error());
        return lab::Spsa::from_json(*text);
    }
    auto numbers = read_numbers(options.numbers);
    if (!numbers) return tl::unexpected(numbers.error());
    if (numbers->empty()) {
        return fail("nothing to tune", "name constants: --numbers reverse-futility-margin=20 ...");
    }
    return lab::Spsa(std::move(*numbers), {options.pairs, options.rate, options.seed});
}

lab::DuelSide side_of(const TuneOptions& options, const lab::Spsa& spsa,
                      const std::vector<double>& values,
                      const std::shared_ptr<const model::LoadedModel>& model) {
    lab::DuelSide side{model, {}, {}};
    side.settings.hash_megabytes = 16;
    for (std::size_t i = 0; i < values.size(); ++i) {
        static_cast<void>(planner::set_feature(side.settings.deep, spsa.numbers()[i].name,
                                               static_cast<int>(std::lround(values[i]))));
    }
    side.limits.count_cpu_time = true;
    side.limits.movetime = planner::Milliseconds(options.cpu_ms);
    return side;
}

std::string values_text(const lab::Spsa& spsa) {
    std::string text;
    for (const lab::TunedNumber& number : spsa.numbers()) {
        text += fmt::format("{}{}={:.0f}", text.empty() ? "" : " ", number.name, number.value);
    }
    return text;
}

void print_effects(const lab::Spsa& spsa, Console& console) {
    if (spsa.done() == 0) return;
    console.print("a step up against a step down, {} games\n", 2 * spsa.done());
    for (std::size_t i = 0; i < spsa.numbers().size(); ++i) {
        const lab::TunedNumber& number = spsa.numbers()[i];
        const lab::Spsa::Effect effect = spsa.effect(i);
        console.print("{:<26} {:>8.0f}  step {:>6.0f}  {:>+6.1f} +- {:.1f} Elo\n", number.name,
                      number.value, number.step, effect.elo, effect.error);
    }
}

ExitCode run_tune(const TuneOptions& options, Console& console) {
    auto spsa = open_tuning(options);
    if (!spsa) return console.error(spsa.error());
    const auto model = model::open(options.model);
    if (!model) return console.error(model.error());
    InterruptWatch interrupt;
    {
        Progress progress(console, "tuning", spsa->options().trials, "pairs");
        while (!spsa->is_over() && !interrupt.requested()) {
            progress.update(spsa->done(), values_text(*spsa));
            const lab::Spsa::Trial trial = spsa->next();
            lab::PlanDuel duel(side_of(options, *spsa, trial.a, *model),
                               side_of(options, *spsa, trial.b, *model), spsa->options().seed);
            spsa->learn(duel.play_pair(spsa->done()));
            if (const auto kept = write_file_atomically(options.state, spsa->to_json()); !kept) {
                return console.error(kept.error());
            }
        }
    }
    if (!spsa->is_over()) {
        console.note("stopped after {} of {} pairs; the same command goes on", spsa->done(),
                     spsa->options().trials);
    }
    print_effects(*spsa, console);
    console.print("{}\n", values_text(*spsa));
    return ExitCode::Ok;
}

}  // namespace

void add_bench_tune(Command& parent, Session& session) {
    const auto options = std::make_shared<TuneOptions>();
    Command* command = parent.add_subcommand(
        "tune", "constants of the deep plan tuned together (SPSA); can be stopped and continued");
    command->add_option("--numbers", options->numbers,
                        "NAME=STEP: what to tune, and by how much a trial changes it");
    command->add_option("--state", options->state, "file of the tuning; continued if it exists")
        ->required();
    command->add_option("--model", options->model, "model file (default: the embedded one)");
    command->add_option("--pairs", options->pairs, "pairs of games")
        ->range(1, 10'000'000)
        ->capture_default_str();
    command
        ->add_option("--rate", options->rate,
                     "steps that a won pair is worth in the end; 0: nothing moves, only effects "
                     "are measured")
        ->range(0, 10)
        ->capture_default_str();
    command->add_option("--cpu-ms", options->cpu_ms, "CPU time per move")
        ->range(1, 100'000)
        ->capture_default_str();
    command->add_option("--seed", options->seed, "of openings and trials")->capture_default_str();
    command->callback(
        [options, &session] { session.exit_code = run_tune(*options, session.console); });
}

}  // namespace solis::cli
