// The same games as the engine's, labelled by the teacher.
#include "solis/cli/bench/label_teacher.h"

#include <chrono>

#include "solis/base/cpu_time.h"
#include "solis/lab/label/labeller.h"

namespace solis::cli {
namespace {

// Gives the games out for ever.
class RepeatedGames final : public data::GameSource {
  public:
    explicit RepeatedGames(const std::vector<data::LabelledGame>& games) : games_(games) {}

    Result<bool> next(data::LabelledGame& game) override {
        game = games_[given_++ % games_.size()];
        return true;
    }
    const data::ImportReport& report() const override { return report_; }

  private:
    const std::vector<data::LabelledGame>& games_;
    std::size_t given_ = 0;
    data::ImportReport report_;
};

}  // namespace

Result<void> measure_teacher(const lab::LabelRun& run, const std::vector<data::LabelledGame>& games,
                             double seconds, TeacherRate& total) {
    if (games.empty()) {
        return fail("the engine finished no game that the teacher could label, too",
                    "give it more time with --seconds");
    }
    RepeatedGames source(games);
    const auto supply = lab::make_list_supply(source, false, run.labels, {});
    const std::chrono::steady_clock::time_point end =
        std::chrono::steady_clock::now() +
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(
            std::chrono::duration<double>(seconds));
    lab::LabelHooks hooks;
    hooks.take = [](const data::LabelledGame&) { return true; };
    hooks.interrupted = [&] { return std::chrono::steady_clock::now() >= end; };
    const double before = process_cpu_seconds();
    const auto stats = lab::label_games(run, *supply, hooks);
    if (!stats) return tl::unexpected(stats.error());
    total.cpu_seconds += process_cpu_seconds() - before;
    total.labels += stats->searched.searches;
    total.nodes += stats->searched.nodes;
    return {};
}

}  // namespace solis::cli
