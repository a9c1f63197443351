// Incremental evaluation: compare boards and planes as words, touch only rows that changed.
#include "solis/model/swift_evaluator.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solis/nn/swift/integer_kernels.h"

namespace solis::model {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::Piece;
using chess::Position;
using chess::Square;
using data::SwiftView;

constexpr std::size_t kSides = 2;
constexpr std::array kPieces{Piece::WhitePawn, Piece::WhiteKnight, Piece::WhiteBishop,
                             Piece::WhiteRook, Piece::WhiteQueen,  Piece::WhiteKing,
                             Piece::BlackPawn, Piece::BlackKnight, Piece::BlackBishop,
                             Piece::BlackRook, Piece::BlackQueen,  Piece::BlackKing};
// A parent that is so near is taken without looking for a better start.
constexpr int kNear = 6;
// What it costs to bring the anchor of one view along, in inputs.
constexpr int kAnchorDistance = 12;

// Plies since the beginning of the game, which tell siblings, parents and children apart.
std::size_t ply_of(const Position& position) {
    return 2 * static_cast<std::size_t>(position.fullmove_number()) +
           static_cast<std::size_t>(index(position.side_to_move()));
}

}  // namespace

SwiftEvaluator::SwiftEvaluator(const nn::SwiftInteger& net, data::SwiftFeatureSet features,
                               std::span<const float> axis)
    : net_(net), features_(features), axis_(axis), anchors_(4) {
    const std::span<const std::int16_t> empty = net.empty_accumulators();
    Board& board = seen_;
    board.sets.fill(0);
    board.planes.fill(0);
    board.pieces.fill(Piece::None);
    board.contacts.fill(0);
    board.dangers.fill(0);
    for (const Color side : {Color::White, Color::Black}) {
        for (const SwiftView view : {SwiftView{side, false}, SwiftView{side, true}}) {
            for (const Piece piece : kPieces) {
                first_inputs_[place_of(view)][static_cast<std::size_t>(index(piece))] =
                    static_cast<std::uint16_t>(view.input(0, piece, Square::A1));
            }
        }
        for (const Piece piece : kPieces) {
            const int kind =
                (chess::color_of(piece) == side ? 0 : 6) + index(chess::type_of(piece));
            first_contacts_[static_cast<std::size_t>(index(side))]
                           [static_cast<std::size_t>(index(piece))] =
                               static_cast<std::uint16_t>(kind * data::kInputsPerPlane);
        }
    }
    for (Anchor& anchor : anchors_) {
        anchor.board = board;
        anchor.sums.assign(empty.begin(), empty.end());
    }
    for (std::size_t i = 0; i < kPlies * kSides; ++i) {
        sums_.insert(sums_.end(), empty.begin(), empty.end());
    }
    for (std::size_t ply = 0; ply < kPlies; ++ply) {
        remembered_.push_back({board,
                               {SwiftView{Color::White, false}, SwiftView{Color::Black, false}},
                               sums_.data() + ply * kSides * empty.size()});
    }
}

void SwiftEvaluator::look(const Position& position, Board& board) const {
    for (std::size_t type = 0; type < 6; ++type) {
        board.sets[type] = position.pieces(static_cast<chess::PieceType>(type));
    }
    board.sets[6] = position.pieces(Color::White);
    board.sets[7] = position.pieces(Color::Black);
    board.planes = data::has_contacts(features_)
                       ? data::swift_planes(features_, position, board.contacts, board.dangers)
                       : data::swift_planes(features_, position);
    board.pieces = position.board();
}

void SwiftEvaluator::copy(const Board& from, Board& to) const {
    static_cast<Squares&>(to) = from;
    if (data::has_contacts(features_)) to.contacts = from.contacts;
}

int SwiftEvaluator::distance(const Board& a, const Board& b) const {
    Bitboard other_piece = 0;
    for (std::size_t i = 0; i < a.sets.size(); ++i) other_piece |= a.sets[i] ^ b.sets[i];
    int inputs = chess::count(other_piece);
    for (int plane = 1; plane < data::plane_count(features_); ++plane) {
        inputs += chess::count(a.planes[plane] ^ b.planes[plane]);
    }
    return inputs;
}

const SwiftEvaluator::Remembered& SwiftEvaluator::nearest(const Board& board, const Views& views,
                                                          std::size_t ply) const {
    const Remembered* best = nullptr;
    int least = 0;
    // The parent, a sibling, the grandparent. Any of them may be of another line, because not all
    // positions of a search are scored.
    for (const std::size_t before : {1, 0, 2}) {
        const Remembered& candidate = remembered_[(ply - before) % kPlies];
        int inputs = distance(candidate.board, board);
        for (std::size_t side = 0; side < kSides; ++side) {
            if (!(candidate.views[side] == views[side])) inputs += kAnchorDistance;
        }
        if (best != nullptr && inputs >= least) continue;
        best = &candidate;
        least = inputs;
        if (least <= kNear) break;
    }
    return *best;
}

void SwiftEvaluator::list_changes(const Board& from, const Board& to, const Views& views) {
    Bitboard other_piece = 0;
    for (std::size_t i = 0; i < to.sets.size(); ++i) other_piece |= to.sets[i] ^ from.sets[i];
    const auto& white = first_inputs_[place_of(views[0])];
    const auto& black = first_inputs_[place_of(views[1])];
    auto& [of_white, of_black] = changes_;
    std::size_t added = 0, removed = 0;
    for (int plane = 0; plane < data::plane_count(features_); ++plane) {
        const auto input = [plane](const auto& first, Piece piece, Square square) {
            const int on_a1 = first[static_cast<std::size_t>(index(piece))];
            return static_cast<std::uint16_t>(plane * data::kInputsPerPlane +
                                              (on_a1 ^ index(square)));
        };
        const Bitboard before = from.planes[plane], now = to.planes[plane];
        for (Bitboard b = before & (~now | other_piece); b != 0; ++removed) {
            const Square s = chess::pop_lowest(b);
            const Piece piece = from.pieces[index(s)];
            of_white.wide.removed[removed] = input(white, piece, s);
            of_black.wide.removed[removed] = input(black, piece, s);
        }
        for (Bitboard b = now & (~before | other_piece); b != 0; ++added) {
            const Square s = chess::pop_lowest(b);
            const Piece piece = to.pieces[index(s)];
            of_white.wide.added[added] = input(white, piece, s);
            of_black.wide.added[added] = input(black, piece, s);
        }
    }
    for (nn::InputChanges& changes : changes_) {
        changes.wide.added_count = added;
        changes.wide.removed_count = removed;
    }
    if (data::has_contacts(features_)) list_contacts(from, to, views, other_piece);
    if (data::has_danger(features_)) list_dangers(from, to, views);
}

void SwiftEvaluator::list_contacts(const Board& from, const Board& to, const Views& views,
                                   Bitboard other_piece) {
    const std::array<std::size_t, kSides> places{place_of(views[0]), place_of(views[1])};
    for (nn::InputChanges& changes : changes_) changes.bytes.clear();
    // Adds the contacts of the piece on `square` with those on `touched` to one list of each view.
    const auto add = [&](const Board& board, Square square, Bitboard touched, auto list,
                         auto count) {
        const auto by = static_cast<std::size_t>(index(board.pieces[index(square)]));
        std::array<int, kSides> first;
        for (std::size_t i = 0; i < kSides; ++i) {
            first[i] = first_contacts_[static_cast<std::size_t>(index(views[i].side))][by];
        }
        std::size_t n = changes_[0].bytes.*count;
        for (; touched != 0; ++n) {
            const Square s = chess::pop_lowest(touched);
            const auto piece = static_cast<std::size_t>(index(board.pieces[index(s)]));
            for (std::size_t i = 0; i < kSides; ++i) {
                (changes_[i].bytes.*list)[n] = static_cast<std::uint16_t>(
                    first[i] + (first_inputs_[places[i]][piece] ^ index(s)));
            }
        }
        for (nn::InputChanges& changes : changes_) changes.bytes.*count = n;
    };
    Bitboard changed = nn::changed_words(from.contacts.data(), to.contacts.data(), other_piece);
    changed |= other_piece & (from.planes[0] | to.planes[0]);
    while (changed != 0) {
        const Square square = chess::pop_lowest(changed);
        const Bitboard before = from.contacts[index(square)], now = to.contacts[index(square)];
        // A contact is another one when the piece at either end of it is.
        const Bitboard other = chess::contains(other_piece, square) ? ~Bitboard{0} : other_piece;
        const Bitboard gone = before & (~now | other), come = now & (~before | other);
        if (gone != 0) {
            add(from, square, gone, &nn::RowList::removed, &nn::RowList::removed_count);
        }
        if (come != 0) {
            add(to, square, come, &nn::RowList::added, &nn::RowList::added_count);
        }
    }
}

void SwiftEvaluator::list_dangers(const Board& from, const Board& to, const Views& views) {
    for (const Color color : {Color::White, Color::Black}) {
        const auto king = static_cast<std::size_t>(index(color));
        for (std::uint64_t changed = from.dangers[king] ^ to.dangers[king]; changed != 0;) {
            const int bit = index(chess::pop_lowest(changed));
            const bool comes = (to.dangers[king] >> bit & 1) != 0;
            for (std::size_t i = 0; i < kSides; ++i) {
                nn::RowList& list = changes_[i].bytes;
                const auto row =
                    static_cast<std::uint16_t>(data::kContacts + views[i].danger(color, bit));
                if (comes) {
                    list.added[list.added_count++] = row;
                } else {
                    list.removed[list.removed_count++] = row;
                }
            }
        }
    }
}

void SwiftEvaluator::follow_anchor(const Board& board, SwiftView view, std::int16_t* sums) {
    Anchor& anchor = anchors_[place_of(view)];
    list_changes(anchor.board, board, {view, view});
    net_.update(anchor.sums.data(), changes_[0], anchor.sums.data());
    copy(board, anchor.board);
    std::copy(anchor.sums.begin(), anchor.sums.end(), sums);
}

const SwiftEvaluator::Remembered& SwiftEvaluator::follow(const Position& position) {
    const Board& board = seen_;
    look(position, seen_);
    const Views views{data::swift_view(position, Color::White),
                      data::swift_view(position, Color::Black)};
    const std::size_t ply = ply_of(position);
    const Remembered& from = nearest(board, views, ply);
    Remembered& to = remembered_[ply % kPlies];
    list_changes(from.board, board, views);
    const Views before = from.views;  // `to` may be the same
    for (const Color side : {Color::White, Color::Black}) {
        const auto i = static_cast<std::size_t>(index(side));
        if (before[i] == views[i]) {
            net_.update(sums_of(from, side), changes_[i], sums_of(to, side));
        }
    }
    for (const Color side : {Color::White, Color::Black}) {
        const auto i = static_cast<std::size_t>(index(side));
        if (!(before[i] == views[i])) follow_anchor(board, views[i], sums_of(to, side));
    }
    copy(board, to.board);
    to.views = views;
    return to;
}

float SwiftEvaluator::project(const Position& position, const Remembered& seen) const {
    const Color us = position.side_to_move();
    return net_.project(sums_of(seen, us), sums_of(seen, ~us),
                        data::swift_bucket(position, net_.shape().buckets), axis_.data());
}

void SwiftEvaluator::score_children(const Position& parent, std::span<const Position> children,
                                    std::span<float> scores) {
    if (children.empty()) return;
    follow(parent);
    for (std::size_t i = 0; i < children.size(); ++i) scores[i] = score(children[i]);
}

float SwiftEvaluator::score(const Position& position) {
    return project(position, follow(position));
}

void SwiftEvaluator::embed(const Position& position, std::span<float> z) {
    const Remembered& seen = follow(position);
    const Color us = position.side_to_move();
    net_.output(sums_of(seen, us), sums_of(seen, ~us),
                data::swift_bucket(position, net_.shape().buckets), z.data());
    float square = 0;
    for (const float value : z) square += value * value;
    const float length = std::max(std::sqrt(square), 1e-12f);
    for (float& value : z) value /= length;
}

}  // namespace solis::model
