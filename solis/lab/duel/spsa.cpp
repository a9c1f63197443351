// Gains and perturbations that shrink with the trials.
#include "solis/lab/duel/spsa.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/rng.h"

namespace solis::lab {
namespace {

using Json = nlohmann::ordered_json;

// How fast gains and perturbations shrink, as Spall advises, and after which share of the trials
// gains begin to.
constexpr double kGainPower = 0.602;
constexpr double kPerturbationPower = 0.101;
constexpr double kStability = 0.1;
// Elo for a lead of one point in a pair of games, near equality: the slope of the Elo curve at one
// half is 1600 / ln 10, and a pair is two games.
constexpr double kEloPerLead = 1600 / 2.302585092994046 / 2;

Error not_a_tuning(std::string_view what) {
    return {fmt::format("no state of a tuning: {}", what),
            "name another file with --state, or remove this one"};
}

}  // namespace

Spsa::Spsa(std::vector<TunedNumber> numbers, const Options& options)
    : numbers_(std::move(numbers)), options_(options) {}

std::vector<int> Spsa::signs() const {
    // A generator for each trial, so that nothing but the number of trials must be kept.
    Rng rng(Seed{options_.seed * 1'000'003 + done_});
    std::vector<int> signs;
    for (std::size_t i = 0; i < numbers_.size(); ++i) signs.push_back(rng.below(2) == 0 ? -1 : 1);
    return signs;
}

double Spsa::perturbation() const {
    const double left = static_cast<double>(options_.trials) / static_cast<double>(done_ + 1);
    return std::pow(std::max(left, 1.0), kPerturbationPower);
}

double Spsa::gain() const {
    const double stability = kStability * static_cast<double>(options_.trials);
    const double end = stability + static_cast<double>(options_.trials);
    const double now = stability + static_cast<double>(done_ + 1);
    return options_.rate * std::pow(end / now, kGainPower) / perturbation();
}

Spsa::Trial Spsa::next() const {
    const std::vector<int> signs = this->signs();
    Trial trial;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        const double change = signs[i] * numbers_[i].step * perturbation();
        trial.a.push_back(numbers_[i].value + change);
        trial.b.push_back(numbers_[i].value - change);
    }
    return trial;
}

void Spsa::learn(double points) {
    const std::vector<int> signs = this->signs();
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        numbers_[i].value += signs[i] * numbers_[i].step * gain() * (points - 1);
        numbers_[i].lean += signs[i] * (points - 1);
    }
    spread_ += (points - 1) * (points - 1);
    ++done_;
}

Spsa::Effect Spsa::effect(std::size_t number) const {
    if (done_ == 0) return {};
    const auto trials = static_cast<double>(done_);
    const double mean = numbers_[number].lean / trials;
    const double variance = std::max(spread_ / trials - mean * mean, 0.0) / trials;
    return {kEloPerLead * mean, kEloPerLead * 1.96 * std::sqrt(variance)};
}

std::string Spsa::to_json() const {
    Json numbers = Json::array();
    for (const TunedNumber& number : numbers_) {
        numbers.push_back({{"name", number.name},
                           {"value", number.value},
                           {"step", number.step},
                           {"lean", number.lean}});
    }
    return Json{{"tuning", "spsa"},      {"trials", options_.trials},
                {"rate", options_.rate}, {"seed", options_.seed},
                {"done", done_},         {"spread", spread_},
                {"numbers", numbers}}
               .dump(1) +
           "\n";
}

Result<Spsa> Spsa::from_json(std::string_view text) {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || json.value("tuning", Json()) != "spsa") {
        return tl::unexpected(not_a_tuning("not written by 'solis bench tune'"));
    }
    const auto is_count = [&](const char* key) {
        return json.contains(key) && json[key].is_number_unsigned();
    };
    const auto is_number = [](const Json& object, const char* key) {
        return object.contains(key) && object[key].is_number();
    };
    if (!is_count("trials") || !is_count("seed") || !is_count("done") || !is_number(json, "rate") ||
        !json.contains("numbers") || !json["numbers"].is_array()) {
        return tl::unexpected(not_a_tuning("a field is missing"));
    }
    std::vector<TunedNumber> numbers;
    for (const Json& number : json["numbers"]) {
        if (!number.is_object() || !number.contains("name") || !number["name"].is_string() ||
            !is_number(number, "value") || !is_number(number, "step")) {
            return tl::unexpected(not_a_tuning("a number is not whole"));
        }
        numbers.push_back({number["name"], number["value"], number["step"],
                           is_number(number, "lean") ? number["lean"].get<double>() : 0.0});
    }
    Spsa spsa(std::move(numbers), {json["trials"], json["rate"], json["seed"]});
    spsa.done_ = json["done"];
    if (is_number(json, "spread")) spsa.spread_ = json["spread"];
    return spsa;
}

}  // namespace solis::lab
