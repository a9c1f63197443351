// Counting and showing what was solved.
#include "solis/lab/suite/suite_report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/progress.h"

namespace solis::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kBandWidth = 200;
constexpr std::size_t kMostThemes = 30;  // in the table; JSON has all

Json tally_json(const SolvedTally& tally) {
    const SolvedTally::Interval interval = tally.interval();
    return {{"name", tally.name},
            {"problems", tally.problems},
            {"solved", tally.solved},
            {"share", tally.share()},
            {"share_95", {interval.low, interval.high}},
            {"few", tally.is_of_few()},
            {"points", tally.points},
            {"max_points", tally.max_points}};
}

Json tallies_json(const std::vector<SolvedTally>& tallies) {
    Json json = Json::array();
    for (const SolvedTally& tally : tallies) json.push_back(tally_json(tally));
    return json;
}

// The rows of one breakdown, a column per engine. Reports of one suite have the same rows.
void append_breakdown(std::string& text, std::span<const SuiteReport> reports,
                      std::vector<SolvedTally> SuiteReport::*breakdown, const char* title,
                      std::size_t most) {
    const std::vector<SolvedTally>& rows = reports[0].*breakdown;
    if (rows.empty()) return;
    text += fmt::format("\n{:<24}  {:>8}", title, "problems");
    for (const SuiteReport& report : reports) text += fmt::format("  {:>14}", report.engine);
    text += '\n';
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) {
        text += fmt::format("{:<24}  {:>8}", rows[i].name, rows[i].problems);
        for (const SuiteReport& report : reports) {
            text += fmt::format("  {:>12.1f} %", 100 * (report.*breakdown)[i].share());
        }
        text += '\n';
    }
}

// Says which of the figures are of few problems.
void append_few(std::string& text, std::span<const SuiteReport> reports) {
    if (reports.empty()) return;
    const SolvedTally& total = reports[0].total;
    if (total.problems > 0 && total.is_of_few()) {
        const SolvedTally::Interval interval = total.interval();
        text += fmt::format("\nOnly {} problem{}: another {} could give {:.0f} to {:.0f} %.\n",
                            total.problems, total.problems == 1 ? "" : "s", total.problems,
                            100 * interval.low, 100 * interval.high);
        return;
    }
    const auto few = [](const std::vector<SolvedTally>& rows) {
        return std::any_of(rows.begin(), rows.end(), [](const auto& t) { return t.is_of_few(); });
    };
    if (!few(reports[0].ratings) && !few(reports[0].themes)) return;
    text += fmt::format("\nShares of fewer than {} problems may be wrong by ten points and more.\n",
                        SolvedTally::kFew);
}

}  // namespace

void SolvedTally::add(const Problem& problem, const Attempt& attempt) {
    ++problems;
    solved += attempt.solved ? 1 : 0;
    points += attempt.points;
    max_points += problem.max_points();
}

SolvedTally::Interval SolvedTally::interval() const {
    if (problems == 0) return {0, 1};
    constexpr double kZ = 1.959964;
    const auto n = static_cast<double>(problems);
    const double p = share(), scale = 1 / (1 + kZ * kZ / n);
    const double middle = (p + kZ * kZ / (2 * n)) * scale;
    const double half = kZ * std::sqrt(p * (1 - p) / n + kZ * kZ / (4 * n * n)) * scale;
    return {std::max(middle - half, 0.0), std::min(middle + half, 1.0)};
}

SuiteReport make_report(const Suite& suite, const PlayerSpec& player,
                        std::span<const Attempt> attempts) {
    SuiteReport report;
    report.suite = suite.name;
    report.engine = player.name;
    report.limits = player.limits.text();
    report.total.name = "all";
    std::map<int, SolvedTally> bands;
    std::map<std::string, SolvedTally> themes;
    for (std::size_t i = 0; i < suite.problems.size(); ++i) {
        const Problem& problem = suite.problems[i];
        const Attempt& attempt = attempts[i];
        if (!attempt.made) continue;
        report.total.add(problem, attempt);
        if (problem.rating > 0) bands[problem.rating / kBandWidth].add(problem, attempt);
        for (const std::string& theme : problem.themes) themes[theme].add(problem, attempt);
        report.faults += attempt.fault.empty() ? 0 : 1;
        report.mates_proved += attempt.proved ? 1 : 0;
        report.seconds += attempt.seconds;
        report.nodes += static_cast<double>(attempt.nodes);
    }
    for (auto& [band, tally] : bands) {
        tally.name = fmt::format("{}-{}", band * kBandWidth, (band + 1) * kBandWidth - 1);
        report.ratings.push_back(std::move(tally));
    }
    for (auto& [theme, tally] : themes) {
        tally.name = theme;
        report.themes.push_back(std::move(tally));
    }
    std::stable_sort(
        report.themes.begin(), report.themes.end(),
        [](const SolvedTally& a, const SolvedTally& b) { return a.problems > b.problems; });
    return report;
}

std::string suite_table(std::span<const SuiteReport> reports) {
    std::string text =
        fmt::format("{:<16}  {:<14}  {:>13}  {:>16}  {:>13}  {:>10}  {:>6}\n", "engine", "limit",
                    "solved", "share (95 %)", "points", "nodes", "faults");
    for (const SuiteReport& report : reports) {
        const SolvedTally& total = report.total;
        const SolvedTally::Interval interval = total.interval();
        text +=
            fmt::format("{:<16}  {:<14}  {:>13}  {:>16}  {:>13}  {:>10}  {:>6}\n", report.engine,
                        report.limits, fmt::format("{}/{}", total.solved, total.problems),
                        fmt::format("{:.1f} ({:.1f}-{:.1f})", 100 * total.share(),
                                    100 * interval.low, 100 * interval.high),
                        fmt::format("{}/{}", total.points, total.max_points),
                        format_count(report.nodes), report.faults);
    }
    append_breakdown(text, reports, &SuiteReport::ratings, "rating", 100);
    append_breakdown(text, reports, &SuiteReport::themes, "theme", kMostThemes);
    append_few(text, reports);
    return text;
}

std::string to_json(const SuiteReport& report, const Suite& suite,
                    std::span<const Attempt> attempts) {
    Json json{{"suite", report.suite},
              {"engine", report.engine},
              {"limits", report.limits},
              {"total", tally_json(report.total)},
              {"ratings", tallies_json(report.ratings)},
              {"themes", tallies_json(report.themes)},
              {"faults", report.faults},
              {"mates_proved", report.mates_proved},
              {"seconds", report.seconds},
              {"nodes", report.nodes}};
    if (!attempts.empty()) {
        Json list = Json::array();
        for (std::size_t i = 0; i < attempts.size(); ++i) {
            if (!attempts[i].made) continue;
            list.push_back({{"id", suite.problems[i].id},
                            {"solved", attempts[i].solved},
                            {"points", attempts[i].points},
                            {"played", attempts[i].played},
                            {"fault", attempts[i].fault},
                            {"nodes", attempts[i].nodes}});
        }
        json["attempts"] = std::move(list);
    }
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace solis::lab
