// What the fuzz targets of the engine share: a session that hears every line of the input.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "solis/engine/uci/session.h"
#include "solis/engine/words.h"
#include "tests/planner/fake_model.h"

namespace solis::engine {

class BestMoveCounter final : public LineOutput {
  public:
    void write(std::string_view lines) override {
        while (!lines.empty()) {
            const std::size_t end = std::min(lines.find('\n'), lines.size());
            if (lines.substr(0, end).starts_with("bestmove ")) ++best_moves_;
            lines.remove_prefix(std::min(end + 1, lines.size()));
        }
    }
    [[nodiscard]] int best_moves() const { return best_moves_; }

  private:
    int best_moves_ = 0;
};

// Whether the line holds none of the words, which are in small letters.
inline bool is_free_of(std::string_view line, std::span<const std::string_view> words) {
    std::string lower(line);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return std::none_of(words.begin(), words.end(), [&](std::string_view word) {
        return lower.find(word) != std::string::npos;
    });
}

// Says the lines of `input` but for those with an unwanted word to a new session, after `first`.
// Aborts unless every go is answered with exactly one bestmove once the engine is stopped. Scores
// are random instead of a model's: embedding positions would take most of a run.
inline void hold_dialogue(std::string_view input, std::string_view first,
                          std::span<const std::string_view> unwanted) {
    static const auto model = std::make_shared<const planner::RandomModel>(1);
    BestMoveCounter output;
    InlineRunner runner;
    Session session({.output = output, .runner = runner, .model = model, .node_cap = 20});
    if (!session.handle("setoption name Hash value 1") || !session.handle(first)) std::abort();
    int searches = 0;
    while (!input.empty()) {
        const std::size_t end = std::min(input.find('\n'), input.size());
        const std::string_view line = input.substr(0, end);
        input.remove_prefix(std::min(end + 1, input.size()));
        if (!is_free_of(line, unwanted)) continue;
        std::string_view words = line;
        if (next_word(words) == "go") ++searches;
        if (!session.handle(line)) std::abort();
    }
    if (!session.handle("stop") || session.is_busy()) std::abort();
    if (output.best_moves() != searches) std::abort();
}

}  // namespace solis::engine
