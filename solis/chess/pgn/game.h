// One game of a PGN file: tags, moves with variations, comments. Flat, so that reading the next
// game into the same object allocates nothing.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solis/chess/game_result.h"
#include "solis/chess/position.h"

namespace solis::chess {

// Part of the text that a game stores.
struct TextRange {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
};

// A move in the tree of moves. Node 0 is the start position and has no move.
struct PgnNode {
    static constexpr std::uint32_t kNone = 0xFFFFFFFF;

    Move move;
    std::uint32_t parent = kNone;       // the node this move is played after
    std::uint32_t next = kNone;         // the move that follows in the same line
    std::uint32_t alternative = kNone;  // another move that could be played instead of this one
    // Of the move that continues its line: the last of its alternatives. For adding in one step.
    std::uint32_t last_alternative = kNone;
    std::uint32_t first_note = 0;  // the notes end where those of the next node begin
};

enum class PgnNoteKind : std::uint8_t {
    Comment,     // text
    Nag,         // value 0..255
    Centipawns,  // [%eval 0.17]: value in centipawns, White's view
    Mate,        // [%eval #-4]: value in moves, negative if Black mates
    Clock,       // [%clk 0:01:30.5]: value in milliseconds
    Elapsed,     // [%emt 0:00:03]: value in milliseconds
};

// Something said about a move.
struct PgnNote {
    std::uint32_t node = 0;
    PgnNoteKind kind = PgnNoteKind::Comment;
    bool before_move = false;  // written before the move; only the first move of a variation
    std::uint16_t depth = 0;   // search depth of an eval, 0 if not given
    std::int32_t value = 0;
    TextRange text;
};

class PgnGame {
  public:
    PgnGame() { clear(); }

    // Back to a game without tags and moves from the standard start position; keeps the memory.
    void clear();

    // --- tags, in the order they were added
    struct Tag {
        std::string_view name;
        std::string_view value;
    };
    [[nodiscard]] std::size_t tag_count() const { return tags_.size(); }
    [[nodiscard]] Tag tag(std::size_t i) const {
        return {view(tags_[i].name), view(tags_[i].value)};
    }
    // Value of the first tag of that name (case matters), or nothing.
    [[nodiscard]] std::optional<std::string_view> tag(std::string_view name) const;
    // `name` and `value` are UTF-8 and must not point into this game.
    void add_tag(std::string_view name, std::string_view value);

    // --- the game
    [[nodiscard]] const Position& start() const { return start_; }
    // Only while the game has no moves. FEN and SetUp tags are the reader's and writer's work.
    void set_start(const Position& start) { start_ = start; }
    [[nodiscard]] GameResult result() const { return result_; }
    void set_result(GameResult result) { result_ = result; }

    // --- moves
    [[nodiscard]] std::span<const PgnNode> nodes() const { return nodes_; }
    [[nodiscard]] const PgnNode& node(std::uint32_t i) const { return nodes_[i]; }
    // Continues the line of `parent`, or starts a variation where that line already continues.
    // `move` must be legal there. Returns the new node.
    std::uint32_t add_move(std::uint32_t parent, Move move);
    // Moves of the main line.
    [[nodiscard]] std::size_t ply_count() const { return ply_count_; }
    [[nodiscard]] std::size_t variation_count() const { return variation_count_; }

    // --- notes
    // All notes, those of node 0 first, in the order they were added to their node.
    [[nodiscard]] std::span<const PgnNote> notes() const { return notes_; }
    [[nodiscard]] std::span<const PgnNote> notes_of(std::uint32_t node) const;
    [[nodiscard]] std::string_view text_of(const PgnNote& note) const { return view(note.text); }
    // `text` is UTF-8 without control characters and '}', and without blanks at its ends.
    void add_comment(std::uint32_t node, std::string_view text, bool before_move = false);
    // Any note but a comment. `note.node` may be the next node to be added.
    void add_note(const PgnNote& note);
    // Hands the notes that were prepared for the next node to `node`: its move never came.
    void reattach_pending_notes(std::uint32_t node);
    // To be called after the last note where notes were not added node by node.
    void sort_notes();

    [[nodiscard]] std::size_t text_bytes() const { return text_.size(); }

    // Same tags, start, result, notes, and the same moves added in the same order.
    friend bool operator==(const PgnGame& a, const PgnGame& b);

  private:
    struct StoredTag {
        TextRange name;
        TextRange value;
    };

    [[nodiscard]] std::string_view view(TextRange range) const {
        return std::string_view(text_).substr(range.begin, range.size);
    }
    TextRange store(std::string_view text);
    void link_variation(PgnNode& played, std::uint32_t added);

    std::string text_;
    std::vector<StoredTag> tags_;
    std::vector<PgnNode> nodes_;
    std::vector<PgnNote> notes_;
    Position start_ = Position::start();
    GameResult result_ = GameResult::Unknown;
    std::uint32_t last_main_ = 0;  // last node of the main line
    std::size_t ply_count_ = 0;
    std::size_t variation_count_ = 0;
    bool notes_sorted_ = true;
};

// The moves of the main line one after the other: for (auto i = first; i != kNone; i = next).
[[nodiscard]] inline std::uint32_t first_move(const PgnGame& game) { return game.node(0).next; }

}  // namespace solis::chess
