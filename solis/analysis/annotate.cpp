// From verdicts to annotations.
#include "solis/analysis/annotate.h"

#include <array>

#include <fmt/format.h>

#include "solis/chess/san.h"

namespace solis::analysis {
namespace {

using chess::PgnGame;
using chess::PgnNode;
using chess::PgnNote;
using chess::PgnNoteKind;

// Win probability given away, from which a move has the name.
constexpr std::array<std::pair<double, Judgement>, 3> kThresholds{
    {{0.30, Judgement::Blunder}, {0.20, Judgement::Mistake}, {0.10, Judgement::Inaccuracy}}};

// Numeric annotation glyphs of PGN; 0 for none.
int nag_of(Judgement judgement) {
    switch (judgement) {
        case Judgement::Blunder:
            return 4;
        case Judgement::Mistake:
            return 2;
        case Judgement::Inaccuracy:
            return 6;
        case Judgement::Fine:
            break;
    }
    return 0;
}

// $1 to $6: ! ? !! ?? !? ?!
bool is_mark(const PgnNote& note) {
    return note.kind == PgnNoteKind::Nag && note.value >= 1 && note.value <= 6;
}

bool is_eval(const PgnNote& note) {
    return note.kind == PgnNoteKind::Centipawns || note.kind == PgnNoteKind::Mate;
}

PgnNote eval_note(std::uint32_t node, const Verdict& verdict) {
    PgnNote note;
    note.node = node;
    note.kind = verdict.mate ? PgnNoteKind::Mate : PgnNoteKind::Centipawns;
    note.value = verdict.mate.value_or(verdict.centipawns);
    return note;
}

void add_judgement(PgnGame& game, const JudgedMove& move) {
    if (move.judgement != Judgement::Fine) {
        PgnNote nag;
        nag.node = move.node;
        nag.kind = PgnNoteKind::Nag;
        nag.value = nag_of(move.judgement);
        game.add_note(nag);
    }
    if (move.verdict) game.add_note(eval_note(move.node, *move.verdict));
    if (move.judgement != Judgement::Fine) {
        game.add_comment(move.node, fmt::format("{}; {} was best", name_of(move.judgement),
                                                chess::to_san(move.before, move.best)));
    }
}

void copy_note(const PgnGame& from, const PgnNote& note, PgnGame& to) {
    if (note.kind == PgnNoteKind::Comment) {
        to.add_comment(note.node, from.text_of(note), note.before_move);
    } else {
        to.add_note(note);
    }
}

}  // namespace

Judgement judgement_of(double given_away) {
    for (const auto& [threshold, judgement] : kThresholds) {
        if (given_away >= threshold) return judgement;
    }
    return Judgement::Fine;
}

const char* mark_of(Judgement judgement) {
    switch (judgement) {
        case Judgement::Blunder:
            return "??";
        case Judgement::Mistake:
            return "?";
        case Judgement::Inaccuracy:
            return "?!";
        case Judgement::Fine:
            break;
    }
    return "";
}

const char* name_of(Judgement judgement) {
    switch (judgement) {
        case Judgement::Blunder:
            return "blunder";
        case Judgement::Mistake:
            return "mistake";
        case Judgement::Inaccuracy:
            return "inaccuracy";
        case Judgement::Fine:
            break;
    }
    return "";
}

std::vector<JudgedMove> judge_game(const PgnGame& game, Analyst& analyst,
                                   const std::function<bool(std::size_t)>& watch) {
    analyst.new_game();
    std::vector<JudgedMove> judged;
    chess::Game replay(game.start());
    Analysis before = analyst.analyse(replay);
    for (std::uint32_t node = first_move(game); node != PgnNode::kNone;
         node = game.node(node).next) {
        if (before.stopped || !watch(judged.size() + 1)) break;
        const chess::Color mover = replay.position().side_to_move();
        JudgedMove move{node, replay.position(), game.node(node).move,
                        before.lines.front().moves.front()};
        replay.push(move.move);
        Analysis after = analyst.analyse(replay);
        if (after.stopped) break;
        if (!after.lines.empty()) {
            move.verdict = after.lines.front().verdict;
            const double change =
                before.lines.front().verdict.win_probability - move.verdict->win_probability;
            if (move.best != move.move) {
                move.judgement = judgement_of(mover == chess::Color::White ? change : -change);
            }
        }
        judged.push_back(std::move(move));
        before = std::move(after);
    }
    return judged;
}

PgnGame annotated(const PgnGame& game, const std::vector<JudgedMove>& moves) {
    PgnGame result;
    for (std::size_t i = 0; i < game.tag_count(); ++i) {
        result.add_tag(game.tag(i).name, game.tag(i).value);
    }
    result.set_start(game.start());
    result.set_result(game.result());
    // The same order gives the same numbers.
    for (const PgnNode& node : game.nodes().subspan(1)) result.add_move(node.parent, node.move);
    std::vector<const JudgedMove*> of_node(game.nodes().size(), nullptr);
    for (const JudgedMove& move : moves) of_node[move.node] = &move;
    for (std::uint32_t node = 0; node < game.nodes().size(); ++node) {
        if (of_node[node]) add_judgement(result, *of_node[node]);
        for (const PgnNote& note : game.notes_of(node)) {
            if (of_node[node] && (is_eval(note) || is_mark(note))) continue;
            copy_note(game, note, result);
        }
    }
    result.sort_notes();
    return result;
}

}  // namespace solis::analysis
