// Best lines of positions.
#include <fmt/color.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/base/byte_source.h"
#include "solis/base/interrupt.h"
#include "solis/base/progress.h"
#include "solis/chess/epd.h"
#include "solis/chess/fen.h"
#include "solis/chess/san.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/analyze/analyze.h"
#include "solis/cli/analyze/board_view.h"

namespace solis::cli {
namespace {

using analysis::AnalysedLine;
using analysis::Analysis;

nlohmann::ordered_json analysis_json(const chess::Position& position, const Analysis& analysis) {
    nlohmann::ordered_json report{
        {"fen", chess::to_fen(position)}, {"depth", analysis.depth},
        {"nodes", analysis.nodes},        {"milliseconds", analysis.milliseconds},
        {"stopped", analysis.stopped},    {"lines", nlohmann::ordered_json::array()}};
    for (const AnalysedLine& line : analysis.lines) {
        nlohmann::ordered_json entry;
        add_verdict(entry, line.verdict);
        chess::Position at = position;
        for (const chess::Move move : line.moves) {
            entry["uci"].push_back(chess::to_uci(at, move));
            entry["san"].push_back(chess::to_san(at, move));
            at = at.after(move);
        }
        report["lines"].push_back(entry);
    }
    return report;
}

void print_analysis(const chess::Position& position, const Analysis& analysis, Console& console) {
    print_board(position, console);
    console.print("{}\n\n", chess::to_fen(position));
    if (const auto end = chess::outcome(position, chess::Claims::Ignored)) {
        console.print("The game is over: {}.\n", chess::name_of(end->reason));
    }
    if (analysis.lines.empty()) return;
    for (const AnalysedLine& line : analysis.lines) {
        console.print(fmt::emphasis::bold, "{:>7}", line.verdict.text());
        console.print("  White {:5.1f} %  {}\n", 100 * line.verdict.win_probability,
                      analysis::san_line(position, line.moves));
    }
    console.note("depth {}, {} positions embedded, {:.1f} s", analysis.depth,
                 format_count(static_cast<double>(analysis.nodes)),
                 static_cast<double>(analysis.milliseconds) / 1000);
}

// A FEN, or an EPD whose operations are left aside.
Result<chess::Position> parse_position(std::string_view text) {
    if (text == "startpos") return chess::Position::start();
    const auto position = chess::parse_fen(text);
    if (position) return *position;
    if (const auto record = chess::parse_epd(text)) return record->position;
    return tl::unexpected(position.error());
}

bool belongs_to_fen(const std::string& word) {
    return word.find_first_of(" /") == std::string::npos && word != "startpos";
}

}  // namespace

Result<std::vector<chess::Position>> positions_from_words(const std::vector<std::string>& words) {
    std::vector<chess::Position> positions;
    for (std::size_t i = 0; i < words.size();) {
        std::string text = words[i++];
        // Only the first field of a FEN has slashes, so a word with them begins the next position.
        const bool whole = text == "startpos" || text.find(' ') != std::string::npos;
        while (!whole && i < words.size() && belongs_to_fen(words[i])) text += ' ' + words[i++];
        const auto position = parse_position(text);
        if (!position) {
            Error error = position.error();
            if (error.hint.empty()) error.hint = "give a FEN, 'startpos' or the path of a PGN file";
            return tl::unexpected(error);
        }
        positions.push_back(*position);
    }
    return positions;
}

Result<std::vector<chess::Position>> positions_from_list(const std::string& path) {
    const auto source = open_input(path);
    if (!source) return tl::unexpected(source.error());
    LineReader lines(**source);
    std::vector<chess::Position> positions;
    std::string_view line;
    for (;;) {
        const auto more = lines.next(line);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        if (line.empty() || line.front() == '#') continue;
        const auto position = parse_position(line);
        if (!position) {
            return fail_in(fmt::format("{}:{}", path, lines.line_number()), position.error());
        }
        positions.push_back(*position);
    }
    if (positions.empty()) return fail(fmt::format("'{}' holds no position", path));
    return positions;
}

ExitCode analyze_positions(const std::vector<chess::Position>& positions,
                           const AnalyzeOptions& options, Console& console) {
    InterruptWatch interrupt;
    auto analyst = make_analyst(options, kTimePerPosition, options.lines,
                                [&interrupt] { return interrupt.requested(); });
    if (!analyst) return console.error(analyst.error());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        analyst->new_game();
        const Analysis analysis = analyst->analyse(chess::Game(positions[i]));
        if (auto ok = analyst->status(); !ok) return console.error(ok.error());
        if (options.json) {
            print_json(console, analysis_json(positions[i], analysis));
        } else {
            if (i > 0) console.print("\n");
            print_analysis(positions[i], analysis, console);
        }
        if (!analysis.stopped && !interrupt.requested()) continue;
        console.note("interrupted{}", positions.size() == 1 ? "; these are the best lines so far"
                                                            : fmt::format(" in position {} of {}",
                                                                          i + 1, positions.size()));
        return ExitCode::Interrupted;
    }
    return ExitCode::Ok;
}

}  // namespace solis::cli
