// Reading suites.
#include "solis/lab/suite/suite.h"

#include <algorithm>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/chess/epd.h"
#include "solis/chess/san.h"
#include "solis/data/formats/fields.h"
#include "solis/data/formats/puzzle_format.h"
#include "solis/data/formats/row_source.h"
#include "solis/engine/uci_protocol.h"
#include "solis/engine/words.h"

namespace solis::lab {
namespace {

constexpr std::string_view kPuzzleHeading = "PuzzleId,";

std::string operand_text(const chess::EpdRecord& record, std::string_view opcode) {
    const chess::EpdOperation* operation = record.find(opcode);
    if (operation == nullptr) return {};
    std::string text;
    for (const chess::EpdOperand& operand : operation->operands) {
        if (!text.empty()) text += ' ';
        text += operand.text;
    }
    return text;
}

void add_points(Problem& problem, std::string_view move_text, std::string_view points_text) {
    const chess::Move move = chess::match_san(problem.position, move_text);
    const auto points = data::parse_number<int>(points_text);
    if (move.is_none() || !points || *points < 0 || *points > 1'000'000) return;
    problem.points.emplace_back(move, *points);
}

// "Nf3=10, e4=5". c0 may hold any comment: what is not of that form gives no points.
void read_comment_points(std::string_view text, Problem& problem) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view item = data::trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        // A promotion has a '=' of its own.
        const std::size_t equals = item.rfind('=');
        if (equals == std::string_view::npos) continue;
        add_points(problem, data::trimmed(item.substr(0, equals)),
                   data::trimmed(item.substr(equals + 1)));
    }
}

// "10 5" and "g1f3 e2e4".
void read_listed_points(std::string_view points, std::string_view moves, Problem& problem) {
    while (true) {
        const std::string_view worth = engine::next_word(points), move = engine::next_word(moves);
        if (worth.empty() || move.empty()) return;
        add_points(problem, move, worth);
    }
}

// "5" of dm, "#5" or "#-5" of bm. None where the text has neither form.
Result<int> parse_mate(std::string_view opcode, std::string_view text) {
    const bool negative = text.starts_with("#-");
    if (text.starts_with('#')) text.remove_prefix(negative ? 2 : 1);
    const auto moves = data::parse_number<int>(text);
    if (!moves || *moves < 1 || *moves > 1000) {
        return fail(fmt::format("{} is no number of moves", opcode));
    }
    return negative ? -*moves : *moves;
}

Result<void> read_moves_or_mate(const chess::EpdRecord& record, Problem& problem) {
    const std::string best_text = operand_text(record, "bm"), mate = operand_text(record, "dm");
    const bool best_is_mate = best_text.starts_with('#');
    if (!best_is_mate) {
        const auto best = chess::epd_moves(record, "bm");
        if (!best) return tl::unexpected(best.error());
        problem.best = *best;
    }
    const auto avoid = chess::epd_moves(record, "am");
    if (!avoid) return tl::unexpected(avoid.error());
    problem.avoid = *avoid;
    if (!best_is_mate && record.find("dm") == nullptr) return {};
    const auto moves = best_is_mate ? parse_mate("bm", best_text) : parse_mate("dm", mate);
    if (!moves) return tl::unexpected(moves.error());
    problem.mate_in = *moves;
    return {};
}

Result<bool> parse_problem(std::string_view row, Problem& problem) {
    row = data::trimmed(row);
    if (row.empty() || row.front() == '#') return false;
    const auto record = chess::parse_epd(row);
    if (!record) return tl::unexpected(record.error());
    problem.position = record->position;
    problem.id = operand_text(*record, "id");
    if (auto read = read_moves_or_mate(*record, problem); !read) {
        return tl::unexpected(read.error());
    }
    read_comment_points(operand_text(*record, "c0"), problem);
    if (problem.points.empty()) {
        read_listed_points(operand_text(*record, "c8"), operand_text(*record, "c9"), problem);
    }
    if (problem.mate_in != 0) {
        problem.kind = ProblemKind::Mate;
    } else if (problem.max_points() > 1 && !problem.points.empty()) {
        problem.kind = ProblemKind::Points;
    } else if (problem.best.empty() && problem.avoid.empty()) {
        return fail("nothing to solve: none of bm, am, dm and points");
    }
    return true;
}

Result<bool> parse_puzzle_problem(std::string_view row, Problem& problem) {
    data::Puzzle puzzle;
    const auto holds_one = data::parse_puzzle(row, puzzle);
    if (!holds_one || !*holds_one) return holds_one;
    if (puzzle.moves.size() < 2) return fail("a puzzle needs a move and an answer");
    problem.kind = ProblemKind::Puzzle;
    problem.id = std::move(puzzle.id);
    problem.position = puzzle.start;
    problem.line = std::move(puzzle.moves);
    problem.rating = puzzle.rating;
    problem.themes = std::move(puzzle.themes);
    return true;
}

}  // namespace

int Problem::max_points() const {
    int most = 1;
    for (const auto& [move, worth] : points) most = std::max(most, worth);
    return points.empty() ? 1 : most;
}

Result<Suite> read_suite(const std::string& name, std::unique_ptr<ByteSource> source,
                         std::uint64_t limit) {
    Suite suite;
    suite.name = name;
    bool puzzles = name.ends_with(".csv") || name.ends_with(".csv.zst");
    // Text that is not called CSV is read by lines: a stray quote must not join them.
    const auto rows =
        puzzles ? data::csv_rows(std::move(source)) : data::line_rows(std::move(source));
    std::string_view row;
    for (std::uint64_t number = 1; limit == 0 || suite.problems.size() < limit; ++number) {
        const auto more = rows->next(row);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        if (number == 1 && row.starts_with(kPuzzleHeading)) puzzles = true;
        Problem problem;
        const auto read =
            puzzles ? parse_puzzle_problem(row, problem) : parse_problem(row, problem);
        if (read && !*read) continue;
        ++suite.report.rows;
        if (read) {
            if (problem.id.empty()) problem.id = fmt::format("{}", number);
            suite.problems.push_back(std::move(problem));
        } else {
            suite.report.add_bad_row(fmt::format("{}: row {}", name, number), read.error());
        }
    }
    if (suite.problems.empty()) return fail(fmt::format("'{}' holds no problem", name));
    return suite;
}

}  // namespace solis::lab
