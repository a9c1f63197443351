// The loop around the trainer.
#include "solis/train/run.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/file.h"
#include "solis/base/progress.h"
#include "solis/train/metrics_log.h"

namespace solis::train {
namespace {

constexpr std::uint64_t kStepsPerLossPoint = 100;

class Run {
  public:
    Run(Trainer& trainer, const ValidationSet& validation, MetricsLog log, Console& console)
        : trainer_(trainer),
          validation_(validation),
          log_(std::move(log)),
          console_(console),
          progress_(console, "training", trainer.steps(), "steps") {}

    [[nodiscard]] Result<bool> advance_until_done(const std::function<bool()>& stop_requested) {
        while (trainer_.step() < trainer_.steps()) {
            if (trainer_.agree_to_stop(stop_requested())) {
                if (auto ok = save(); !ok) return tl::unexpected(ok.error());
                return false;
            }
            if (auto ok = step(); !ok) return tl::unexpected(ok.error());
        }
        if (auto ok = save(); !ok) return tl::unexpected(ok.error());
        return true;
    }

    [[nodiscard]] Result<AxisFit> validate() {
        auto fit = trainer_.with_model_weights([&](TrainableEncoder& encoder) {
            return validate_encoder(encoder, validation_, trainer_.pool());
        });
        if (!fit) return fit;
        const ValidationReport& r = fit->report;
        if (auto ok = log_.add(ValidationPoint{trainer_.step(), r}); !ok) {
            return tl::unexpected(ok.error());
        }
        progress_.clear();
        console_.note(
            "step {}: Spearman {:.4f}, within 200 / 100 cp {:.4f} / {:.4f}, siblings in order "
            "{:.4f}, best move in top 1/3/5 {:.3f} {:.3f} {:.3f}, calibration error {:.4f}",
            trainer_.step(), r.spearman, r.within_200, r.within_100, r.siblings_in_order, r.top1,
            r.top3, r.top5, r.calibration_error);
        return fit;
    }

    [[nodiscard]] const MetricsLog& log() const { return log_; }
    void clear_progress() { progress_.clear(); }

  private:
    using Clock = std::chrono::steady_clock;

    [[nodiscard]] Result<void> step() {
        const auto report = trainer_.advance();
        if (!report) return tl::unexpected(report.error());
        const double mean = trainer_.losses().mean();
        progress_.update(report->step,
                         fmt::format("loss {:.4f}  {} positions/s", mean, format_count(rate())));
        const bool is_last = report->step == trainer_.steps();
        if (report->step % kStepsPerLossPoint != 0 && !is_last) return {};
        const LossPoint point{report->step, mean, static_cast<double>(report->learning_rate),
                              report->auxiliary_loss};
        trainer_.clear_losses();
        if (auto ok = log_.add(point); !ok) return ok;
        const auto every = static_cast<std::uint64_t>(trainer_.config().validation.every);
        if (every > 0 && report->step % every < kStepsPerLossPoint && report->step >= every &&
            !is_last) {
            if (auto fit = validate(); !fit) return tl::unexpected(fit.error());
        }
        const std::chrono::duration<double> since = Clock::now() - last_save_;
        return since.count() >= trainer_.config().run.checkpoint_seconds ? save() : Result<void>{};
    }

    [[nodiscard]] Result<void> save() {
        last_save_ = Clock::now();
        return trainer_.save_checkpoint();
    }

    [[nodiscard]] double rate() const {
        const std::chrono::duration<double> elapsed = Clock::now() - start_;
        const auto done = static_cast<double>(trainer_.step() - first_step_);
        return done * static_cast<double>(trainer_.config().run.batch) /
               std::max(elapsed.count(), 1e-9);
    }

    Trainer& trainer_;
    const ValidationSet& validation_;
    MetricsLog log_;
    Console& console_;
    Progress progress_;
    std::uint64_t first_step_ = trainer_.step();
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_save_ = Clock::now();
};

// The config as a model carries it: files by name, since paths are nobody else's business.
std::string public_config(TrainConfig config) {
    const auto strip = [](std::string& path) {
        path = std::filesystem::path(path).filename().string();
    };
    std::for_each(config.data.stores.begin(), config.data.stores.end(), strip);
    strip(config.data.teacher);
    strip(config.encoder.start_from);
    strip(config.auxiliary.teacher);
    return to_toml(config);
}

std::string metrics_json(const ValidationReport& report) {
    nlohmann::ordered_json json;
    ValidationReport::visit(report,
                            [&](const char* name, const auto& value) { json[name] = value; });
    return json.dump();
}

// The part of a process that does not lead: its share of the steps.
Result<RunResult> follow(Trainer& trainer, const std::function<bool()>& stop_requested) {
    RunResult result;
    while (trainer.step() < trainer.steps()) {
        if (trainer.agree_to_stop(stop_requested())) return result;
        if (auto report = trainer.advance(); !report) return tl::unexpected(report.error());
    }
    result.finished = true;
    return result;
}

}  // namespace

Result<RunResult> run_training(Trainer& trainer, const ValidationSet& validation,
                               const std::string& command, const std::string& version,
                               const std::function<bool()>& stop_requested, Console& console) {
    if (!trainer.leads()) return follow(trainer, stop_requested);
    const std::filesystem::path& folder = trainer.folder();
    const std::string config = to_toml(trainer.config());
    if (auto ok = write_file_atomically(folder / "config.toml", config); !ok) {
        return tl::unexpected(ok.error());
    }
    auto log = MetricsLog::open(folder / "metrics.jsonl", trainer.step());
    if (!log) return tl::unexpected(log.error());
    Run run(trainer, validation, std::move(*log), console);
    const auto finished = run.advance_until_done(stop_requested);
    if (!finished) return tl::unexpected(finished.error());
    RunResult result;
    result.finished = *finished;
    if (!*finished) return result;

    auto fit = run.validate();
    if (!fit) return tl::unexpected(fit.error());
    model::ModelFile model =
        trainer.with_model_weights([](TrainableEncoder& encoder) { return encoder.to_model(); });
    model.axis = std::move(fit->axis);
    model.calibration = std::move(fit->calibration);
    model.provenance = {public_config(trainer.config()), "", metrics_json(fit->report), version,
                        command};
    result.report = fit->report;
    result.model = folder / "model.safetensors";
    if (auto ok = model::save_model(result.model, model); !ok) return tl::unexpected(ok.error());
    const std::string svg = curve_svg(run.log(), folder.filename().string());
    if (auto ok = write_file_atomically(folder / "curve.svg", svg); !ok) {
        return tl::unexpected(ok.error());
    }
    return result;
}

}  // namespace solis::train
