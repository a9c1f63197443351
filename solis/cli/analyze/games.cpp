// Comments on the games of a PGN file.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/analysis/annotate.h"
#include "solis/base/byte_sink.h"
#include "solis/base/byte_source.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/pgn/writer.h"
#include "solis/chess/san.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/analyze/analyze.h"

namespace solis::cli {
namespace {

using analysis::JudgedMove;
using analysis::Judgement;

std::string game_json(const chess::PgnGame& game, const std::vector<JudgedMove>& moves) {
    using Json = nlohmann::ordered_json;
    Json report{{"tags", Json::object()},
                {"moves", Json::array()},
                {"complete", moves.size() == game.ply_count()}};
    for (std::size_t i = 0; i < game.tag_count(); ++i) {
        report["tags"][std::string(game.tag(i).name)] = game.tag(i).value;
    }
    for (const JudgedMove& move : moves) {
        Json entry{{"san", chess::to_san(move.before, move.move)},
                   {"uci", chess::to_uci(move.before, move.move)},
                   {"best", chess::to_san(move.before, move.best)}};
        if (move.verdict) add_verdict(entry, *move.verdict);
        if (move.judgement != Judgement::Fine) entry["judgement"] = name_of(move.judgement);
        report["moves"].push_back(entry);
    }
    return report.dump() + "\n";
}

// The game with its evaluations. Where the analysis ended early, a comment says so.
std::string game_text(const chess::PgnGame& game, const std::vector<JudgedMove>& moves) {
    chess::PgnGame result = analysis::annotated(game, moves);
    if (moves.size() < game.ply_count()) {
        result.add_comment(moves.back().node, "the analysis was interrupted here");
        result.sort_notes();
    }
    return chess::to_pgn(result);
}

class GameAnalysis {
  public:
    GameAnalysis(const AnalyzeOptions& options, InterruptWatch& interrupt,
                 analysis::Analyst analyst, ByteSink& sink, Console& console)
        : options_(options),
          interrupt_(interrupt),
          analyst_(std::move(analyst)),
          sink_(sink),
          console_(console) {}

    Result<ExitCode> run(ByteSource& source) {
        chess::PgnReader reader(source);
        chess::PgnGame game;
        ExitCode code = ExitCode::Ok;
        while (!interrupt_.requested()) {
            const auto outcome = reader.next(game);
            if (!outcome) return tl::unexpected(outcome.error());
            if (*outcome == chess::PgnOutcome::End) return code;
            if (*outcome == chess::PgnOutcome::Broken) {
                console_.error(reader.error());
                code = ExitCode::Failed;
                continue;
            }
            if (auto ok = annotate_game(game); !ok) return tl::unexpected(ok.error());
        }
        console_.note(
            "interrupted: {} game{} complete{}; the games after that are not in the output",
            complete_, complete_ == 1 ? "" : "s", partial_);
        return ExitCode::Interrupted;
    }

  private:
    Result<void> annotate_game(const chess::PgnGame& game) {
        const std::size_t number = complete_ + 1;
        std::vector<JudgedMove> moves;
        {
            Progress progress(console_, fmt::format("game {}", number), game.ply_count(), "moves");
            moves = analysis::judge_game(game, analyst_, [&](std::size_t done) {
                progress.update(done);
                return !interrupt_.requested();
            });
        }
        if (moves.size() == game.ply_count()) {
            ++complete_;
        } else if (moves.empty()) {
            return {};  // as good as not begun, and not in the output
        } else {
            partial_ =
                fmt::format(", game {} up to ply {} of {}", number, moves.size(), game.ply_count());
        }
        return sink_.write(options_.json ? game_json(game, moves) : game_text(game, moves));
    }

    const AnalyzeOptions& options_;
    InterruptWatch& interrupt_;
    analysis::Analyst analyst_;
    ByteSink& sink_;
    Console& console_;
    std::size_t complete_ = 0;
    std::string partial_;  // how far the last game came, where it did not come to its end
};

}  // namespace

ExitCode analyze_games(const std::string& path, const AnalyzeOptions& options, Console& console) {
    auto source = open_input(path);
    if (!source) return console.error(source.error());
    InterruptWatch interrupt;
    auto analyst =
        make_analyst(options, kTimePerGameMove, 1, [&interrupt] { return interrupt.requested(); });
    if (!analyst) return console.error(analyst.error());
    auto sink = create_sink(options.out, options.existing);
    if (!sink) return console.error(sink.error());
    const auto code =
        GameAnalysis(options, interrupt, std::move(*analyst), **sink, console).run(**source);
    if (!code) return console.error(code.error());
    if (auto ok = (*sink)->finish(); !ok) return console.error(ok.error());
    return *code;
}

}  // namespace solis::cli
