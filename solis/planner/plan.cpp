// From a game to a plan: prepares the root and the limits, then runs the kind of plan asked for.
#include "solis/planner/plan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "solis/planner/deep/plan.h"
#include "solis/planner/paper/plan.h"
#include "solis/planner/puct/plan.h"
#include "solis/planner/root.h"
#include "solis/planner/strength.h"
#include "solis/planner/tempo.h"

namespace solis::planner {
namespace {

constexpr std::array<std::pair<PlanKind, std::string_view>, 3> kNames{
    {{PlanKind::Paper, "paper"}, {PlanKind::Deep, "deep"}, {PlanKind::Puct, "puct"}}};

class SilentObserver final : public Observer {
    void on_info(const Info&) override {}
};

Settings within_range(Settings settings) {
    settings.width = std::clamp(settings.width, 1, Settings::kMaxWidth);
    settings.plies = std::clamp(settings.plies, 1, Settings::kMaxPlies);
    settings.threads = std::clamp(settings.threads, 1, Settings::kMaxThreads);
    settings.hash_megabytes =
        std::clamp<std::size_t>(settings.hash_megabytes, 1, Settings::kMaxHashMegabytes);
    settings.multipv = std::max(settings.multipv, 1);
    settings.move_overhead = std::max(settings.move_overhead, Milliseconds(0));
    if (settings.elo) {
        settings.elo = std::clamp(*settings.elo, Settings::kMinElo, Settings::kMaxElo);
    }
    return settings;
}

// `go mate N` asks for a proof: no move may be left out because of its latent score.
DeepTuning without_pruning(DeepTuning tuning) {
    tuning.null_move = tuning.reverse_futility = tuning.razoring = tuning.probcut = false;
    tuning.futility = tuning.late_moves = tuning.history_pruning = tuning.exchanges = false;
    tuning.reductions = tuning.internal_reduction = tuning.singular = false;
    return tuning;
}

// The settings and limits of one plan, after the changes that `go mate` and UCI_Elo make to them.
struct Adjusted {
    Settings settings;
    Limits limits;
    double error = 0;

    Adjusted(const Settings& full, const Limits& asked) : settings(full), limits(asked) {
        if (asked.mate) settings.deep = without_pruning(full.deep);
        if (!full.elo) return;
        const StrengthLimit strength = strength_at(*full.elo);
        error = strength.error;
        // A weak player chooses by mistake among several lines, which must be searched as well as
        // one would be.
        const std::uint64_t wanted = strength.embeddings * (error > 0 ? kWorkOfLines : 1);
        limits.embeddings = std::min(limits.embeddings.value_or(wanted), wanted);
        settings.threads = 1;
        settings.tablebase = nullptr;
        if (error > 0) settings.multipv = std::max(full.multipv, kLinesToErrAmong);
    }

    static constexpr int kLinesToErrAmong = 6;
    static constexpr std::uint64_t kWorkOfLines = 4;
};

}  // namespace

std::string_view name_of(PlanKind kind) {
    return std::find_if(kNames.begin(), kNames.end(),
                        [&](const auto& n) { return n.first == kind; })
        ->second;
}

std::optional<PlanKind> plan_kind_from(std::string_view name) {
    for (const auto& [kind, text] : kNames) {
        if (text == name) return kind;
    }
    return std::nullopt;
}

struct Planner::Parts {
    std::shared_ptr<const model::LoadedModel> model;
    Settings settings;
    DeepMemory deep;
    PuctTree puct;
    std::optional<Value> tempo;  // of the model; none until a deep plan needs it

    Parts(std::shared_ptr<const model::LoadedModel> loaded, const Settings& wanted)
        : model(std::move(loaded)), settings(wanted), deep(wanted.hash_megabytes) {
        settings.hash_megabytes = deep.table.megabytes();
        prepare();
    }

    // Does what takes milliseconds when settings change, because the clock runs once a plan begins.
    void prepare() {
        if (settings.kind != PlanKind::Deep) return;
        deep.prepare(*model, settings.threads);
        if (!settings.deep.tempo && !tempo) tempo = measured_tempo(*model);
    }
    // The settings with everything filled in that the user left to be measured.
    [[nodiscard]] Settings complete() const {
        Settings full = settings;
        if (!full.deep.tempo) full.deep.tempo = tempo;
        return full;
    }

    Plan run(const Task& task) {
        switch (settings.kind) {
            case PlanKind::Paper: {
                const auto search =
                    settings.prune_paper ? PaperSearch::AlphaBeta : PaperSearch::Plain;
                return PaperPlan(task, search).run();
            }
            case PlanKind::Deep:
                return run_deep_plan(task, deep);
            case PlanKind::Puct:
                return PuctPlan(task, puct).run();
        }
        return {};
    }
};

Planner::Planner(std::shared_ptr<const model::LoadedModel> model, const Settings& settings)
    : parts_(std::make_unique<Parts>(std::move(model), within_range(settings))) {}

Planner::Planner(Planner&&) noexcept = default;
Planner& Planner::operator=(Planner&&) noexcept = default;
Planner::~Planner() = default;

const Settings& Planner::settings() const { return parts_->settings; }

void Planner::set(const Settings& settings) {
    const Settings before = parts_->settings;
    const Settings& now = parts_->settings = within_range(settings);
    if (now.hash_megabytes != before.hash_megabytes) {
        parts_->deep.resize(now.hash_megabytes);
        parts_->settings.hash_megabytes = parts_->deep.table.megabytes();
        parts_->puct.clear();
    } else if (now.scoring != before.scoring || now.deep.tempo != before.deep.tempo) {
        clear_hash();
    }
    parts_->prepare();
}

void Planner::clear_hash() {
    parts_->deep.clear();
    parts_->puct.clear();
}

const model::LoadedModel& Planner::model() const { return *parts_->model; }

ValueScale Planner::scale() const { return {*parts_->model, parts_->settings.scoring}; }

Plan Planner::plan(const chess::Game& game, const Limits& limits, Observer& observer,
                   const Signals& signals) {
    const chess::Position& root = game.position();
    const TimeControl time(limits, root.side_to_move(), parts_->settings.move_overhead);
    const ValueScale values = scale();
    const Adjusted adjusted(parts_->complete(), limits);
    RootMoves choice = root_moves(root, limits.search_moves, adjusted.settings.tablebase, values);
    Plan plan;
    if (!choice.moves.empty()) {
        const Task task{
            game,     adjusted.limits, adjusted.settings,       *parts_->model,        values, time,
            observer, signals,         std::move(choice.moves), choice.tablebase_value};
        plan = parts_->run(task);
        misjudge(plan, adjusted.error, adjusted.settings.seed ^ root.key());
        const auto wanted = static_cast<std::size_t>(parts_->settings.multipv);
        if (plan.lines.size() > wanted) plan.lines.resize(wanted);
    }
    if (limits.infinite || limits.ponder) signals.wait(!limits.infinite);
    return plan;
}

Plan Planner::plan(const chess::Game& game, const Limits& limits) {
    SilentObserver nobody;
    const Signals signals;
    return plan(game, limits, nobody, signals);
}

}  // namespace solis::planner
