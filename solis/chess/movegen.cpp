// Legal move generation: pins and checks first, then only moves that respect them.
#include "solis/chess/movegen.h"

#include <algorithm>

namespace solis::chess {
namespace {

// Which targets a generator looks for.
enum class Wanted { All, Captures };

// A sink takes moves as sets of targets. This one writes them down ...
struct ListSink {
    MoveList& list;

    void piece(Square from, Bitboard targets) {
        while (targets != 0) list.add(Move(from, pop_lowest(targets)));
    }
    // Every target was reached by a pawn step of `step`.
    void pawns(Bitboard targets, int step) {
        while (targets != 0) {
            const Square to = pop_lowest(targets);
            list.add(Move(offset(to, -step), to));
        }
    }
    void promotions(Bitboard targets, int step) {
        while (targets != 0) {
            const Square to = pop_lowest(targets), from = offset(to, -step);
            for (const PieceType piece :
                 {PieceType::Queen, PieceType::Knight, PieceType::Rook, PieceType::Bishop}) {
                list.add(Move::promotion(from, to, piece));
            }
        }
    }
    void single(Move move) { list.add(move); }
};

// ... this one keeps the sets by origin ...
struct TargetSink {
    MoveTargets& moves;

    void piece(Square from, Bitboard targets) {
        if (targets == 0) return;
        Bitboard& known = moves.from[static_cast<std::size_t>(index(from))];
        known = contains(moves.origins, from) ? known | targets : targets;
        moves.origins |= bit(from);
    }
    void pawns(Bitboard targets, int step) {
        while (targets != 0) {
            const Square to = pop_lowest(targets);
            piece(offset(to, -step), bit(to));
        }
    }
    void promotions(Bitboard targets, int step) {
        moves.promoting |= step > 0 ? targets >> step : targets << -step;
        pawns(targets, step);
    }
    void single(Move move) { piece(move.from(), bit(move.to())); }
};

// ... and this one only counts.
struct CountSink {
    std::size_t total = 0;

    void piece(Square, Bitboard targets) { total += static_cast<std::size_t>(count(targets)); }
    void pawns(Bitboard targets, int) { total += static_cast<std::size_t>(count(targets)); }
    void promotions(Bitboard targets, int) {
        total += 4 * static_cast<std::size_t>(count(targets));
    }
    void single(Move) { ++total; }
};

template <Color Us, Wanted What, class Sink>
class Generator {
  public:
    Generator(const Position& position, Sink& sink) : position_(position), sink_(sink) {}

    void run() {
        const KingSafety safety = king_safety(position_, Us);
        checkers_ = safety.checkers;
        pinned_ = safety.pinned;
        king_moves();
        if (more_than_one(checkers_)) return;
        // Every other move must capture the checker or step between it and the king.
        allowed_ = What == Wanted::All ? ~own_ : enemy_;
        const Bitboard must = answers_to_check(king_, checkers_);
        allowed_ &= must;
        pawn_moves(must);
        knight_moves();
        slider_moves();
        if (What == Wanted::All && checkers_ == 0) castling();
    }

  private:
    static constexpr Color kThem = ~Us;
    static constexpr int kUp = forward(Us);

    void king_moves() {
        Bitboard targets = king_attacks(king_) & (What == Wanted::All ? ~own_ : enemy_);
        if (targets != 0) targets &= ~attacked_by_enemy();
        sink_.piece(king_, targets);
    }

    // Squares the king may not enter; the king itself does not hide the squares behind it.
    [[nodiscard]] Bitboard attacked_by_enemy() const {
        const Bitboard occupied = (own_ | enemy_) ^ bit(king_);
        Bitboard attacked = pawn_attacks<kThem>(position_.pieces(kThem, PieceType::Pawn)) |
                            king_attacks(position_.king(kThem));
        for (Bitboard b = position_.pieces(kThem, PieceType::Knight); b != 0;) {
            attacked |= knight_attacks(pop_lowest(b));
        }
        for (Bitboard b = position_.diagonal_sliders(kThem); b != 0;) {
            attacked |= bishop_attacks(pop_lowest(b), occupied);
        }
        for (Bitboard b = position_.straight_sliders(kThem); b != 0;) {
            attacked |= rook_attacks(pop_lowest(b), occupied);
        }
        return attacked;
    }

    void knight_moves() {
        // A pinned knight never stays on its line.
        for (Bitboard b = position_.pieces(Us, PieceType::Knight) & ~pinned_; b != 0;) {
            const Square from = pop_lowest(b);
            sink_.piece(from, knight_attacks(from) & allowed_);
        }
    }

    void slider_moves() {
        const Bitboard occupied = own_ | enemy_;
        const Bitboard diagonal = position_.diagonal_sliders(Us);
        const Bitboard straight = position_.straight_sliders(Us);
        for (Bitboard b = diagonal & ~pinned_; b != 0;) {
            const Square from = pop_lowest(b);
            sink_.piece(from, bishop_attacks(from, occupied) & allowed_);
        }
        for (Bitboard b = straight & ~pinned_; b != 0;) {
            const Square from = pop_lowest(b);
            sink_.piece(from, rook_attacks(from, occupied) & allowed_);
        }
        if (pinned_ == 0) return;
        for (Bitboard b = diagonal & pinned_; b != 0;) {
            const Square from = pop_lowest(b);
            sink_.piece(from, bishop_attacks(from, occupied) & allowed_ & line(king_, from));
        }
        for (Bitboard b = straight & pinned_; b != 0;) {
            const Square from = pop_lowest(b);
            sink_.piece(from, rook_attacks(from, occupied) & allowed_ & line(king_, from));
        }
    }

    void pawn_moves(Bitboard must) {
        const Bitboard pawns = position_.pieces(Us, PieceType::Pawn);
        pawn_set(pawns & ~pinned_, must);
        for (Bitboard b = pawns & pinned_; b != 0;) {
            const Square from = pop_lowest(b);
            pawn_set(bit(from), must & line(king_, from));
        }
        en_passant(pawns);
    }

    // Pushes and captures of pawns that may go to any square of `to`.
    void pawn_set(Bitboard pawns, Bitboard to) {
        constexpr Bitboard kLastRank = rank_mask(home_rank(kThem));
        constexpr Bitboard kDoubleFrom = rank_mask(Us == Color::White ? 2 : 5);
        const Bitboard free = ~(own_ | enemy_);
        const Bitboard one = shift<kUp>(pawns) & free;
        const Bitboard left = shift<kUp - 1>(pawns) & enemy_ & to;
        const Bitboard right = shift<kUp + 1>(pawns) & enemy_ & to;
        if constexpr (What == Wanted::All) {
            sink_.pawns(one & to & ~kLastRank, kUp);
            sink_.pawns(shift<kUp>(one & kDoubleFrom) & free & to, 2 * kUp);
        }
        sink_.pawns(left & ~kLastRank, kUp - 1);
        sink_.pawns(right & ~kLastRank, kUp + 1);
        if ((one | left | right) & kLastRank) {
            sink_.promotions(one & to & kLastRank, kUp);
            sink_.promotions(left & kLastRank, kUp - 1);
            sink_.promotions(right & kLastRank, kUp + 1);
        }
    }

    void en_passant(Bitboard pawns) {
        const Square target = position_.en_passant();
        if (target == Square::None) return;
        for (Bitboard b = pawns & pawn_attacks(kThem, target); b != 0;) {
            const Square from = pop_lowest(b);
            // Two pawns leave one rank at once, which no pin shows: try it out.
            if (en_passant_leaves_king_safe(position_, from, target)) {
                sink_.single(Move::en_passant(from, target));
            }
        }
    }

    void castling() {
        if ((position_.castling_rooks() & rank_mask(home_rank(Us))) == 0) return;
        for (const CastlingSide side : {CastlingSide::King, CastlingSide::Queen}) {
            const Square rook = position_.castling_rook(Us, side);
            if (rook != Square::None && castling_path_is_safe(position_, Us, side, rook)) {
                sink_.single(Move::castling(king_, rook));
            }
        }
    }

    const Position& position_;
    Sink& sink_;
    const Square king_ = position_.king(Us);
    const Bitboard own_ = position_.pieces(Us);
    const Bitboard enemy_ = position_.pieces(kThem);
    Bitboard checkers_ = 0;
    Bitboard pinned_ = 0;
    Bitboard allowed_ = 0;
};

template <Wanted What, class Sink>
void generate(const Position& position, Sink& sink) {
    if (position.side_to_move() == Color::White) {
        Generator<Color::White, What, Sink>(position, sink).run();
    } else {
        Generator<Color::Black, What, Sink>(position, sink).run();
    }
}

}  // namespace

bool MoveList::contains(Move move) const { return std::find(begin(), end(), move) != end(); }

MoveList legal_moves(const Position& position) {
    MoveList list;
    ListSink sink{list};
    generate<Wanted::All>(position, sink);
    return list;
}

MoveList legal_captures(const Position& position) {
    MoveList list;
    ListSink sink{list};
    generate<Wanted::Captures>(position, sink);
    return list;
}

MoveTargets legal_targets(const Position& position) {
    MoveTargets moves;
    TargetSink sink{moves};
    generate<Wanted::All>(position, sink);
    return moves;
}

std::size_t count_legal_moves(const Position& position) {
    CountSink sink;
    generate<Wanted::All>(position, sink);
    return sink.total;
}

bool has_legal_move(const Position& position) {
    // Nearly always an unpinned pawn can step forward, which is quickly seen.
    const Color us = position.side_to_move();
    const KingSafety safety = king_safety(position, us);
    const Bitboard pawns = position.pieces(us, PieceType::Pawn) & ~safety.pinned;
    const Bitboard ahead = us == Color::White ? pawns << 8 : pawns >> 8;
    if (safety.checkers == 0 && (ahead & ~position.pieces()) != 0) return true;
    return count_legal_moves(position) != 0;
}

}  // namespace solis::chess
