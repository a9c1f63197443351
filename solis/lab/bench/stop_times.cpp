// Stops inside the process.
#include "solis/lab/bench/stop_times.h"

#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "solis/base/cpu_time.h"
#include "solis/chess/fen.h"

namespace solis::lab {
namespace {

constexpr double kShortestThought = 0.005;
constexpr double kLongestThought = 0.15;
// Between the readings just before and just after the stop no more CPU time may pass.
constexpr double kUndisturbed = 0.0005;

// CPU time of all threads of this process. Linux knows that of a thread on another core as it was
// at the last tick, milliseconds ago, unless somebody asks for that very thread.
double fresh_process_cpu_seconds() {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        const auto thread = std::stoul(entry.path().filename().string());
        // As pthread_getcpuclockid() makes it of a thread.
        (void)cpu_seconds(static_cast<clockid_t>(~thread << 3 | 6));
    }
    return process_cpu_seconds();
}

class StopObserver final : public planner::Observer {
    void on_info(const planner::Info&) override {}
};

struct StopTime {
    double cpu_ms;
    double wall_ms;
};

// None where the stop itself was disturbed.
std::optional<StopTime> stop_once(planner::Planner& planner, const chess::Game& game,
                                  double thought) {
    planner::Limits limits;
    limits.infinite = true;
    planner::Signals signals;
    double cpu_at_end = 0;
    const double cpu_at_start = process_cpu_seconds();
    std::thread thinker([&] {
        StopObserver nobody;
        (void)planner.plan(game, limits, nobody, signals);
        cpu_at_end = process_cpu_seconds();
    });
    while (process_cpu_seconds() - cpu_at_start < thought) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const double cpu_before = fresh_process_cpu_seconds();
    const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    signals.stop();
    const double cpu_after = fresh_process_cpu_seconds();
    thinker.join();
    if (cpu_after - cpu_before > kUndisturbed) return std::nullopt;
    return StopTime{1000 * (cpu_at_end - cpu_before), ms_since(start)};
}

}  // namespace

AnswerTimes measure_plan_stops(const std::shared_ptr<const model::LoadedModel>& model,
                               const planner::Settings& settings, int count, Rng& rng) {
    planner::Planner planner(model, settings);
    const chess::Game game(*chess::parse_fen(kStoppedPosition));
    AnswerTimes times;
    for (int done = 0; done < count;) {
        planner.clear_hash();
        const double thought = kShortestThought + (kLongestThought - kShortestThought) * rng.unit();
        const auto time = stop_once(planner, game, thought);
        if (!time) continue;
        times.cpu.add(time->cpu_ms);
        times.wall.add(time->wall_ms);
        ++done;
    }
    return times;
}

}  // namespace solis::lab
