// The metrics file of a run.
#include "solis/train/metrics_log.h"

#include <algorithm>
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
    if (point.auxiliary_loss > 0) json["auxiliary_loss"] = point.auxiliary_loss;
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

// Logs of older runs call it by another name.
double auxiliary_loss_of(const Json& line) {
    return number(line, line.contains("auxiliary_loss") ? "auxiliary_loss" : "lesson_loss");
}

// A count; 0 where there is none. Anything may stand in the file, and a float beyond the range of
// an integer must not become one.
std::uint64_t count(const Json& line, const char* key) {
    const auto found = line.find(key);
    if (found == line.end()) return 0;
    if (found->is_number_unsigned()) return found->get<std::uint64_t>();
    const double value = number(line, key);
    constexpr double kMost = 1e15;
    return value > 0 && value < kMost ? static_cast<std::uint64_t>(value) : 0;
}

ValidationReport report_from(const Json& line) {
    ValidationReport report;
    ValidationReport::visit(report, [&](const char* name, auto& value) {
        if constexpr (std::is_floating_point_v<std::decay_t<decltype(value)>>) {
            value = number(line, name);
        } else {
            value = count(line, name);
        }
    });
    return report;
}

}  // namespace

std::string MetricsLog::take(std::string_view text, std::uint64_t step) {
    std::string kept;
    while (!text.empty()) {
        const std::string_view row = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), row.size() + 1));
        const Json line = Json::parse(row, nullptr, false);
        if (!line.is_object()) continue;  // torn by a kill
        const std::uint64_t at = count(line, "step");
        if (at == 0 || at > step) continue;
        if (line.contains("loss")) {
            losses_.push_back(
                {at, number(line, "loss"), number(line, "learning_rate"), auxiliary_loss_of(line)});
        } else {
            validations_.push_back({at, report_from(line)});
        }
        kept += std::string(row) + "\n";
    }
    return kept;
}

Result<MetricsLog> MetricsLog::open(const std::filesystem::path& path, std::uint64_t step) {
    MetricsLog log(path);
    std::string kept;
    if (step > 0 && std::filesystem::exists(path)) {
        const auto text = read_file(path.string());
        if (!text) return tl::unexpected(text.error());
        kept = log.take(*text, step);
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
