// Scores positions with the integer swift network, following the board from one position to the
// next instead of starting over.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "solis/base/aligned.h"
#include "solis/chess/position.h"
#include "solis/data/inputs/swift_features.h"
#include "solis/nn/swift/integer.h"

namespace solis::model {

// Not thread-safe: one per thread. The network itself is shared.
//
// A search comes back from deep lines and goes on with a sibling, which is far from the position
// before but one move away from its parent. So the last position of every ply is remembered, and a
// new one starts from the one among them that it differs from least.
class SwiftEvaluator {
  public:
    // `axis` has the network's dimension and length 1. Both must outlive the evaluator.
    SwiftEvaluator(const nn::SwiftInteger& net, data::SwiftFeatureSet features,
                   std::span<const float> axis);

    // <z, axis> of each child, from the point of view of the side to move in it. Fast when
    // `children` are one move away from `parent`.
    void score_children(const chess::Position& parent, std::span<const chess::Position> children,
                        std::span<float> scores);
    // The same for one position, fast when it is close to one of those before.
    [[nodiscard]] float score(const chess::Position& position);
    // The embedding, a vector of length 1, as the side to move sees it.
    void embed(const chess::Position& position, std::span<float> z);

  private:
    using Views = std::array<data::SwiftView, 2>;  // White's, then Black's

    // A board as the inputs need it.
    struct Squares {
        std::array<chess::Bitboard, 8> sets;  // by type, then by colour
        data::SwiftPlanes planes;
        std::array<chess::Piece, 64> pieces;
        data::KingDangers dangers;  // none where the features have none
    };
    struct Board : Squares {
        data::SwiftContacts contacts;  // set where the features have them
    };
    // A position with the accumulators of both views.
    struct Remembered {
        Board board;
        Views views;
        std::int16_t* sums;  // [views][accumulators], in sums_
    };
    // Accumulators of one view, for positions whose king has just come over the middle of the board
    // and sees it mirrored.
    struct Anchor {
        Board board;
        AlignedVector<std::int16_t> sums;
    };

    void look(const chess::Position& position, Board& board) const;
    void copy(const Board& from, Board& to) const;
    // How many inputs differ, about.
    [[nodiscard]] int distance(const Board& a, const Board& b) const;
    // The remembered position to start from for one at `ply` of its game.
    [[nodiscard]] const Remembered& nearest(const Board& board, const Views& views,
                                            std::size_t ply) const;
    // The position with its accumulators. Valid until the next call.
    const Remembered& follow(const chess::Position& position);
    // Accumulators of one view, from its anchor.
    void follow_anchor(const Board& board, data::SwiftView view, std::int16_t* sums);
    [[nodiscard]] static std::size_t place_of(data::SwiftView view) {
        return 2 * static_cast<std::size_t>(index(view.side)) + (view.mirrored ? 1 : 0);
    }
    // Fills changes_ with what tells the boards apart.
    void list_changes(const Board& from, const Board& to, const Views& views);
    // Adds the contacts that do. `other_piece`: squares that differ.
    void list_contacts(const Board& from, const Board& to, const Views& views,
                       chess::Bitboard other_piece);
    // Adds the danger around kings that does.
    void list_dangers(const Board& from, const Board& to, const Views& views);
    [[nodiscard]] std::int16_t* sums_of(const Remembered& seen, chess::Color side) const {
        return seen.sums + static_cast<std::size_t>(index(side)) * net_.accumulator_size();
    }
    [[nodiscard]] float project(const chess::Position& position, const Remembered& seen) const;

    static constexpr std::size_t kPlies = 64;  // remembered; the ply after them takes the first

    const nn::SwiftInteger& net_;
    data::SwiftFeatureSet features_;
    std::span<const float> axis_;
    AlignedVector<std::int16_t> sums_;    // [plies][views][accumulators]
    std::vector<Remembered> remembered_;  // [plies]
    std::vector<Anchor> anchors_;         // by place_of a view
    // Input of each piece on a1 in plane 0, by place_of a view. To get from there to another square
    // is to turn over the bits of its number.
    std::array<std::array<std::uint16_t, 16>, 4> first_inputs_{};
    // The same for contacts: where those of each kind of piece begin among them, by side of the
    // view.
    std::array<std::array<std::uint16_t, 16>, 2> first_contacts_{};
    Board seen_;                               // of the position that is being followed
    std::array<nn::InputChanges, 2> changes_;  // by view
};

}  // namespace solis::model
