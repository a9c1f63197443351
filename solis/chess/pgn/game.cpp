// The flat game: vectors with indices, all text in one string.
#include "solis/chess/pgn/game.h"

#include <algorithm>

namespace solis::chess {

void PgnGame::clear() {
    text_.clear();
    tags_.clear();
    nodes_.clear();
    nodes_.emplace_back();
    notes_.clear();
    start_ = Position::start();
    result_ = GameResult::Unknown;
    last_main_ = 0;
    ply_count_ = 0;
    variation_count_ = 0;
    notes_sorted_ = true;
}

TextRange PgnGame::store(std::string_view text) {
    const TextRange range{static_cast<std::uint32_t>(text_.size()),
                          static_cast<std::uint32_t>(text.size())};
    text_ += text;
    return range;
}

std::optional<std::string_view> PgnGame::tag(std::string_view name) const {
    for (const StoredTag& tag : tags_) {
        if (view(tag.name) == name) return view(tag.value);
    }
    return std::nullopt;
}

void PgnGame::add_tag(std::string_view name, std::string_view value) {
    const TextRange stored_name = store(name);
    tags_.push_back({stored_name, store(value)});
}

std::uint32_t PgnGame::add_move(std::uint32_t parent, Move move) {
    const auto added = static_cast<std::uint32_t>(nodes_.size());
    PgnNode node;
    node.move = move;
    node.parent = parent;
    // Notes that stand before the move were added under this index already.
    auto first = static_cast<std::uint32_t>(notes_.size());
    while (first > 0 && notes_[first - 1].node == added) --first;
    node.first_note = first;
    nodes_.push_back(node);
    if (nodes_[parent].next == PgnNode::kNone) {
        nodes_[parent].next = added;
        if (parent == last_main_) {
            last_main_ = added;
            ++ply_count_;
        }
    } else {
        link_variation(nodes_[nodes_[parent].next], added);
    }
    return added;
}

void PgnGame::link_variation(PgnNode& played, std::uint32_t added) {
    PgnNode& last =
        played.last_alternative == PgnNode::kNone ? played : nodes_[played.last_alternative];
    last.alternative = added;
    played.last_alternative = added;
    ++variation_count_;
}

std::span<const PgnNote> PgnGame::notes_of(std::uint32_t node) const {
    const std::size_t begin = nodes_[node].first_note;
    const std::size_t end =
        node + 1 < nodes_.size() ? std::size_t{nodes_[node + 1].first_note} : notes_.size();
    return std::span(notes_).subspan(begin, end - begin);
}

void PgnGame::add_comment(std::uint32_t node, std::string_view text, bool before_move) {
    PgnNote note;
    note.node = node;
    note.before_move = before_move;
    note.text = store(text);
    add_note(note);
}

void PgnGame::add_note(const PgnNote& note) {
    if (note.node + 1 < nodes_.size()) notes_sorted_ = false;
    notes_.push_back(note);
}

void PgnGame::reattach_pending_notes(std::uint32_t node) {
    for (std::size_t i = notes_.size(); i > 0 && notes_[i - 1].node == nodes_.size(); --i) {
        notes_[i - 1].node = node;
        notes_[i - 1].before_move = false;
        if (node + 1 < nodes_.size()) notes_sorted_ = false;
    }
}

void PgnGame::sort_notes() {
    if (notes_sorted_) return;
    std::stable_sort(notes_.begin(), notes_.end(),
                     [](const PgnNote& a, const PgnNote& b) { return a.node < b.node; });
    std::uint32_t at = 0;
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        nodes_[i].first_note = at;
        while (at < notes_.size() && notes_[at].node == i) ++at;
    }
    notes_sorted_ = true;
}

namespace {

bool same_tags(const PgnGame& a, const PgnGame& b) {
    if (a.tag_count() != b.tag_count()) return false;
    for (std::size_t i = 0; i < a.tag_count(); ++i) {
        const PgnGame::Tag x = a.tag(i), y = b.tag(i);
        if (x.name != y.name || x.value != y.value) return false;
    }
    return true;
}

bool same_moves(const PgnGame& a, const PgnGame& b) {
    return std::ranges::equal(a.nodes(), b.nodes(), [](const PgnNode& x, const PgnNode& y) {
        return x.move == y.move && x.parent == y.parent && x.next == y.next &&
               x.alternative == y.alternative;
    });
}

bool same_notes(const PgnGame& a, const PgnGame& b) {
    return std::ranges::equal(a.notes(), b.notes(), [&](const PgnNote& x, const PgnNote& y) {
        return x.node == y.node && x.kind == y.kind && x.before_move == y.before_move &&
               x.depth == y.depth && x.value == y.value && a.text_of(x) == b.text_of(y);
    });
}

}  // namespace

bool operator==(const PgnGame& a, const PgnGame& b) {
    return a.start_ == b.start_ && a.result_ == b.result_ && same_tags(a, b) && same_moves(a, b) &&
           same_notes(a, b);
}

}  // namespace solis::chess
