// PGN and tree text.
#include "solis/data/formats/game_formats.h"

#include "solis/chess/pgn/reader.h"
#include "solis/chess/pgn/writer.h"
#include "solis/data/formats/fields.h"
#include "solis/data/formats/tree_text.h"

namespace solis::data {
namespace {

using chess::PgnNode;
using chess::PgnNoteKind;

// The evaluation after a move, as the side then to move sees it; none where there is none.
Score score_of(const chess::PgnGame& game, std::uint32_t node, chess::Color side_to_move) {
    for (const chess::PgnNote& note : game.notes_of(node)) {
        if (note.before_move) continue;
        if (note.kind == PgnNoteKind::Mate) return score_from_white_mate(note.value, side_to_move);
        if (note.kind == PgnNoteKind::Centipawns) {
            return seen_by(side_to_move, Score::centipawns(note.value));
        }
    }
    return Score();
}

// Branches of the position before `played`, where `side` is to move.
void add_branches(const chess::PgnGame& pgn, std::uint32_t played, chess::Color side,
                  LabelledGame& game) {
    for (std::uint32_t i = pgn.node(played).alternative; i != PgnNode::kNone;
         i = pgn.node(i).alternative) {
        const chess::Move first = pgn.node(i).move;
        const std::size_t before = game.branches.size();
        if (const Score score = score_of(pgn, i, ~side); !score.is_none()) {
            game.branches.push_back({.first = first, .second = {}, .score = score});
        }
        if (const std::uint32_t j = pgn.node(i).next; j != PgnNode::kNone) {
            const Score score = score_of(pgn, j, side);
            if (!score.is_none()) {
                game.branches.push_back(
                    {.first = first, .second = pgn.node(j).move, .score = score});
            }
        }
        game.line.back().branch_count += static_cast<std::uint32_t>(game.branches.size() - before);
    }
}

LabelledGame to_labelled(const chess::PgnGame& pgn) {
    LabelledGame game;
    chess::Color side = pgn.start().side_to_move();
    set_position(game, pgn.start(), score_of(pgn, 0, side));
    for (std::uint32_t i = chess::first_move(pgn); i != PgnNode::kNone; i = pgn.node(i).next) {
        add_branches(pgn, i, side, game);
        side = ~side;
        game.line.push_back({.move = pgn.node(i).move,
                             .score = score_of(pgn, i, side),
                             .second_look = {},
                             .branch_count = 0});
    }
    game.result = pgn.result();
    return game;
}

class PgnSource final : public GameSource {
  public:
    PgnSource(std::string name, std::unique_ptr<ByteSource> source)
        : name_(std::move(name)), source_(std::move(source)), reader_(*source_) {}

    Result<bool> next(LabelledGame& game) override {
        for (;;) {
            const auto outcome = reader_.next(pgn_);
            if (!outcome) return tl::unexpected(outcome.error());
            if (*outcome == chess::PgnOutcome::End) return false;
            ++report_.rows;
            if (*outcome == chess::PgnOutcome::Game) {
                game = to_labelled(pgn_);
                return true;
            }
            report_.add_bad_row(name_, reader_.error());
        }
    }
    const ImportReport& report() const override { return report_; }

  private:
    std::string name_;
    std::unique_ptr<ByteSource> source_;
    chess::PgnReader reader_;
    chess::PgnGame pgn_;
    ImportReport report_;
};

void add_score(chess::PgnGame& pgn, std::uint32_t node, Score score, chess::Color side_to_move) {
    if (score.is_none()) return;
    const Score white = seen_by(side_to_move, score);
    chess::PgnNote note;
    note.node = node;
    note.kind = score.is_mate() ? PgnNoteKind::Mate : PgnNoteKind::Centipawns;
    note.value = score.is_mate() ? mate_moves(white) : white.value();
    pgn.add_note(note);
}

void add_variation(chess::PgnGame& pgn, std::uint32_t parent, const Branch& branch,
                   chess::Color side) {
    std::uint32_t node = pgn.add_move(parent, branch.first);
    side = ~side;
    if (!branch.second.is_none()) {
        node = pgn.add_move(node, branch.second);
        side = ~side;
    }
    add_score(pgn, node, branch.score, side);
}

// Number of branches that found no place.
std::uint64_t fill_pgn(const LabelledGame& game, chess::PgnGame& pgn) {
    pgn.clear();
    pgn.set_start(game.start);
    pgn.set_result(game.result);
    chess::Color side = game.start.side_to_move();
    add_score(pgn, 0, game.line[0].score, side);
    std::uint32_t parent = 0;
    std::size_t branch = 0;
    for (std::size_t i = 1; i < game.line.size(); ++i) {
        const std::uint32_t node = pgn.add_move(parent, game.line[i].move);
        add_score(pgn, node, game.line[i].score, ~side);
        // After the move that is played, because the first move added continues the line.
        for (std::uint32_t n = game.line[i - 1].branch_count; n > 0; --n) {
            add_variation(pgn, parent, game.branches[branch++], side);
        }
        parent = node;
        side = ~side;
    }
    pgn.sort_notes();
    return game.branches.size() - branch;
}

class PgnSink final : public GameSink {
  public:
    explicit PgnSink(std::unique_ptr<ByteSink> out) : out_(std::move(out)) {}

    Result<void> write(const LabelledGame& game) override {
        const std::uint64_t left = fill_pgn(game, pgn_);
        ++report_.games;
        report_.positions += game.line.size() + game.branches.size() - left;
        report_.left_branches += left;
        text_.clear();
        chess::append_pgn(text_, pgn_);
        return out_->write(text_);
    }
    Result<void> finish() override { return out_->finish(); }
    const ExportReport& report() const override { return report_; }

  private:
    std::unique_ptr<ByteSink> out_;
    chess::PgnGame pgn_;
    std::string text_;
    ExportReport report_;
};

class TreeSink final : public GameSink {
  public:
    explicit TreeSink(std::unique_ptr<ByteSink> out) : out_(std::move(out)) {}

    Result<void> write(const LabelledGame& game) override {
        ++report_.games;
        report_.positions += game.line.size() + game.branches.size();
        return out_->write(to_tree_text(game) + '\n');
    }
    Result<void> finish() override { return out_->finish(); }
    const ExportReport& report() const override { return report_; }

  private:
    std::unique_ptr<ByteSink> out_;
    ExportReport report_;
};

Result<bool> parse_tree_row(std::string_view row, LabelledGame& game) {
    if (row.empty() || row.front() == '#') return false;
    if (auto ok = parse_tree_text(row, game); !ok) return tl::unexpected(ok.error());
    return true;
}

}  // namespace

std::unique_ptr<GameSource> pgn_source(std::string name, std::unique_ptr<ByteSource> source) {
    return std::make_unique<PgnSource>(std::move(name), std::move(source));
}

std::unique_ptr<GameSink> pgn_sink(std::unique_ptr<ByteSink> out) {
    return std::make_unique<PgnSink>(std::move(out));
}

RowFormat tree_rows(std::unique_ptr<ByteSource> source) {
    return {line_rows(std::move(source)), [] { return parse_tree_row; }};
}

std::unique_ptr<GameSink> tree_sink(std::unique_ptr<ByteSink> out) {
    return std::make_unique<TreeSink>(std::move(out));
}

}  // namespace solis::data
