// solis rank: the moves of a position in the order of their projection on the advantage axis.
#include <memory>

#include <nlohmann/json.hpp>

#include "solis/chess/fen.h"
#include "solis/chess/san.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/commands.h"
#include "solis/cli/model_choice.h"
#include "solis/model/scorer.h"

namespace solis::cli {
namespace {

struct RankOptions {
    std::vector<std::string> fens;
    ModelChoice model;
    int top = 5;
    bool json = false;
};

nlohmann::ordered_json to_json(const chess::Position& position, model::Scorer& scorer,
                               const std::vector<model::Scorer::RankedMove>& ranked) {
    const float score = scorer.score(position);
    nlohmann::ordered_json report{{"fen", chess::to_fen(position)},
                                  {"score", score},
                                  {"win_probability", scorer.win_probability(score, position)},
                                  {"ending", scorer.model().has_ending(position)},
                                  {"moves", nlohmann::ordered_json::array()}};
    for (const model::Scorer::RankedMove& move : ranked) {
        report["moves"].push_back({{"uci", chess::to_uci(position, move.move)},
                                   {"san", chess::to_san(position, move.move)},
                                   {"score", move.score},
                                   {"win_probability", move.win_probability},
                                   {"finished", move.finished},
                                   {"ending", move.ending}});
    }
    return report;
}

void print_ranking(const chess::Position& position, model::Scorer& scorer,
                   const std::vector<model::Scorer::RankedMove>& ranked, std::size_t top,
                   Console& console) {
    const float score = scorer.score(position);
    console.print("{}\n", chess::to_fen(position));
    const char* const in_charge = "  (endings encoder)";
    console.print("  {:<8} {:+.3f}  White wins {:5.1f} %{}\n", "now", score,
                  100 * scorer.win_probability(score, position),
                  scorer.model().has_ending(position) ? in_charge : "");
    for (std::size_t i = 0; i < std::min(top, ranked.size()); ++i) {
        console.print("  {:<8} {:+.3f}  White wins {:5.1f} %{}\n",
                      chess::to_san(position, ranked[i].move), ranked[i].score,
                      100 * ranked[i].win_probability,
                      ranked[i].finished ? "  (game over)"
                      : ranked[i].ending ? in_charge
                                         : "");
    }
}

ExitCode run_rank(const RankOptions& options, Console& console) {
    auto model = open_model(options.model);
    if (!model) return console.error(model.error());
    model::Scorer scorer(std::move(*model));
    ExitCode code = ExitCode::Ok;
    for (const std::string& text : options.fens) {
        const auto position =
            text == "startpos" ? chess::Position::start() : chess::parse_fen(text);
        if (!position) {
            code = console.error(position.error());
            continue;
        }
        const auto ranked = scorer.rank_moves(*position);
        if (auto ok = scorer.model().status(); !ok) return console.error(ok.error());
        if (options.json) {
            print_json(console, to_json(*position, scorer, ranked));
        } else {
            print_ranking(*position, scorer, ranked, static_cast<std::size_t>(options.top),
                          console);
        }
    }
    return code;
}

}  // namespace

void add_rank(Command& parent, Session& session) {
    const auto options = std::make_shared<RankOptions>();
    Command* command =
        parent.add_subcommand("rank", "rank the moves of a position by latent score");
    command->add_option("fen", options->fens, "positions as FEN, or 'startpos'")->required();
    add_model_options(*command, options->model);
    command->add_option("--top", options->top, "how many moves to show")
        ->range(1, 256)
        ->capture_default_str();
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_rank(*options, session.console); });
}

}  // namespace solis::cli
