// Random walks among good moves.
#include "solis/lab/match/opening_generator.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "solis/chess/uci_move.h"
#include "solis/engine/words.h"
#include "solis/lab/label/label_task.h"

namespace solis::lab {
namespace {

constexpr std::chrono::milliseconds kSearchTimeout{60'000};
constexpr int kMostFailures = 1000;  // in a row

struct Choice {
    chess::Move move;
    data::Score score;
};

class Walker {
  public:
    Walker(engine::UciClient client, const GeneratorOptions& options)
        : client_(std::move(client)), options_(options), rng_(options.seed) {}

    // None where the line ended out of balance.
    Result<std::optional<GeneratedOpening>> walk() {
        using Found = std::optional<GeneratedOpening>;
        if (auto ready = client_.new_game(); !ready) return tl::unexpected(ready.error());
        chess::Position position = chess::Position::start();
        for (int ply = 0; ply <= options_.plies; ++ply) {
            const auto choices = good_moves(position);
            if (!choices) return tl::unexpected(choices.error());
            if (choices->empty()) return Found();
            if (ply == options_.plies) {
                const data::Score score = choices->front().score;
                const bool balanced = std::abs(score.value()) <= options_.max_score;
                if (!balanced || position.in_check()) return Found();
                return Found(GeneratedOpening{position, score});
            }
            position = position.after((*choices)[rng_.below(choices->size())].move);
        }
        return Found();
    }

  private:
    // The best move first, then those inside the window.
    Result<std::vector<Choice>> good_moves(const chess::Position& position) {
        std::map<int, Choice> lines;  // the last word on each
        const auto listen = [&](const engine::SearchInfo& info) {
            std::string_view pv = info.pv;
            const auto move = chess::parse_uci(position, engine::next_word(pv));
            const bool exact = info.score && info.score->bound == engine::ScoreBound::Exact;
            if (move && exact) lines[info.multipv] = {*move, to_label(info.score)};
        };
        client_.position(position);
        client_.go({.nodes = options_.nodes});
        const auto report = client_.wait_bestmove(kSearchTimeout, listen);
        if (!report) return tl::unexpected(report.error());
        std::vector<Choice> choices;
        for (const auto& [number, choice] : lines) choices.push_back(choice);
        std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
            return a.score.value() > b.score.value();
        });
        if (choices.empty()) return choices;
        const int least = choices.front().score.value() - options_.window;
        std::erase_if(choices, [&](const Choice& c) { return c.score.value() < least; });
        return choices;
    }

    engine::UciClient client_;
    const GeneratorOptions& options_;
    Rng rng_;
};

}  // namespace

Result<std::vector<GeneratedOpening>> generate_openings(
    const GeneratorOptions& options, const std::function<bool(std::size_t)>& going_on) {
    auto client = engine::UciClient::start(options.engine);
    if (!client) return tl::unexpected(client.error());
    if (auto set = client->set_option("MultiPV", std::to_string(options.choices)); !set) {
        return tl::unexpected(set.error());
    }
    Walker walker(std::move(*client), options);
    std::vector<GeneratedOpening> openings;
    std::set<std::uint64_t> keys;
    int failures = 0;
    while (openings.size() < options.count && going_on(openings.size())) {
        const auto found = walker.walk();
        if (!found) return tl::unexpected(found.error());
        if (*found && keys.insert((*found)->position.key()).second) {
            openings.push_back(**found);
            failures = 0;
        } else if (++failures == kMostFailures) {
            return fail(fmt::format("after {} openings {} lines in a row were known or out of "
                                    "balance",
                                    openings.size(), failures),
                        "allow more plies, a wider window or a larger score");
        }
    }
    return openings;
}

}  // namespace solis::lab
