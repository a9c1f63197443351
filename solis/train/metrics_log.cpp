// The metrics file of a run.
#include "solis/train/metrics_log.h"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/byte_source.h"
#include "solis/base/file.h"

namespace solis::train {
namespace {

using Json = nlohmann::ordered_json;

std::string to_line(const LossPoint& point) {
    Json json{{"step", point.step}, {"loss", point.loss}, {"learning_rate", point.learning_rate}};
    if (point.lesson_loss > 0) json["lesson_loss"] = point.lesson_loss;
    return json.dump();
}

std::string to_line(const ValidationPoint& point) {
    Json json{{"step", point.step}};
    ValidationReport::visit(point.report,
                            [&](const char* name, const auto& value) { json[name] = value; });
    return json.dump();
}

double number(const Json& line, const char* key) {
    const auto found = line.find(key);
    return found != line.end() && found->is_number() ? found->get<double>() : 0.0;
}

ValidationReport report_from(const Json& line) {
    ValidationReport report;
    ValidationReport::visit(report, [&](const char* name, auto& value) {
        value = static_cast<std::decay_t<decltype(value)>>(number(line, name));
    });
    return report;
}

}  // namespace

Result<MetricsLog> MetricsLog::open(const std::filesystem::path& path, std::uint64_t step) {
    MetricsLog log(path);
    std::string kept;
    if (step > 0 && std::filesystem::exists(path)) {
        auto source = open_source(path.string());
        if (!source) return tl::unexpected(source.error());
        LineReader lines(**source);
        std::string_view text;
        for (;;) {
            const auto more = lines.next(text);
            if (!more) return tl::unexpected(more.error());
            if (!*more) break;
            const Json line = Json::parse(text, nullptr, false);
            if (!line.is_object()) continue;  // torn by a kill
            const auto at = static_cast<std::uint64_t>(number(line, "step"));
            if (at == 0 || at > step) continue;
            if (line.contains("loss")) {
                log.losses_.push_back({at, number(line, "loss"), number(line, "learning_rate"),
                                       number(line, "lesson_loss")});
            } else {
                log.validations_.push_back({at, report_from(line)});
            }
            kept += std::string(text) + "\n";
        }
    }
    if (auto ok = write_file_atomically(path, kept); !ok) return tl::unexpected(ok.error());
    return log;
}

Result<void> MetricsLog::append(const std::string& line) const {
    std::ofstream file(path_, std::ios::app);
    file << line << '\n';
    file.flush();
    if (!file) return fail(fmt::format("cannot write '{}'", path_.string()));
    return {};
}

Result<void> MetricsLog::add(const LossPoint& point) {
    losses_.push_back(point);
    return append(to_line(point));
}

Result<void> MetricsLog::add(const ValidationPoint& point) {
    // A run that was over is validated again when it is resumed.
    if (!validations_.empty() && validations_.back().step == point.step) return {};
    validations_.push_back(point);
    return append(to_line(point));
}

}  // namespace solis::train
