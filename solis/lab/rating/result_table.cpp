// Who played whom with which results: all that ratings are computed from.
#include "solis/lab/rating/result_table.h"

#include <cassert>
#include <cmath>
#include <utility>

namespace solis::lab {

Tally& Tally::operator+=(const Tally& other) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
    return *this;
}

Tally Encounter::all() const {
    Tally sum = as_white;
    return sum += as_black;
}

double Encounter::pair_count() const {
    double sum = 0;
    for (const auto& row : pairs) {
        for (const double count : row) sum += count;
    }
    return sum;
}

Tally Encounter::single_as_white() const {
    Tally rest = as_white;
    for (std::size_t white = 0; white < 3; ++white) {
        for (const double count : pairs[white]) rest.counts[white] -= count;
    }
    return rest;
}

Tally Encounter::single_as_black() const {
    Tally rest = as_black;
    for (const auto& row : pairs) {
        for (std::size_t black = 0; black < 3; ++black) rest.counts[black] -= row[black];
    }
    return rest;
}

Encounter Encounter::seen_from_the_other_side() const {
    Encounter other{second,
                    first,
                    as_black.seen_from_the_other_side(),
                    as_white.seen_from_the_other_side(),
                    {}};
    for (std::size_t white = 0; white < 3; ++white) {
        for (std::size_t black = 0; black < 3; ++black) {
            other.pairs[2 - black][2 - white] = pairs[white][black];
        }
    }
    return other;
}

ScoreCount Encounter::as_match() const {
    // Sums of halves where colours are unknown: whole again, but for rounding.
    const auto whole = [](double count) { return static_cast<std::uint64_t>(std::lround(count)); };
    const Tally games = all();
    Tally single = single_as_white();
    single += single_as_black();
    ScoreCount match{whole(games.wins()), whole(games.draws()), whole(games.losses()), {}, {}};
    for (std::size_t i = 0; i < 3; ++i) match.singles[i] = whole(single.counts[i]);
    for (std::size_t white = 0; white < 3; ++white) {
        for (std::size_t black = 0; black < 3; ++black) {
            match.pairs[white + black] += whole(pairs[white][black]);
        }
    }
    return match;
}

std::size_t ResultTable::player(std::string_view name) {
    if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
    names_.emplace_back(name);
    numbers_.emplace(name, names_.size() - 1);
    return names_.size() - 1;
}

Encounter& ResultTable::encounter(std::size_t a, std::size_t b) {
    assert(a < b && b < names_.size());
    const auto [place, is_new] = places_.try_emplace({a, b}, encounters_.size());
    if (is_new) encounters_.push_back({a, b, {}, {}, {}});
    return encounters_[place->second];
}

void ResultTable::add_game(std::size_t white, std::size_t black, HalfPoints white_result) {
    if (white < black) {
        ++encounter(white, black).as_white[white_result];
    } else {
        ++encounter(black, white).as_black[reversed(white_result)];
    }
}

void ResultTable::add_pair(std::size_t a, std::size_t b, HalfPoints a_as_white,
                           HalfPoints a_as_black) {
    if (a > b) return add_pair(b, a, reversed(a_as_black), reversed(a_as_white));
    add_game(a, b, a_as_white);
    add_game(b, a, reversed(a_as_black));
    ++encounter(a, b)
          .pairs[static_cast<std::size_t>(a_as_white)][static_cast<std::size_t>(a_as_black)];
}

void ResultTable::add_uncoloured(std::size_t a, std::size_t b, const Tally& results_of_a) {
    const Tally seen = a < b ? results_of_a : results_of_a.seen_from_the_other_side();
    Encounter& games = encounter(std::min(a, b), std::max(a, b));
    const Tally half{{seen.counts[0] / 2, seen.counts[1] / 2, seen.counts[2] / 2}};
    games.as_white += half;
    games.as_black += half;
}

std::vector<Encounter> ResultTable::encounters_of(std::size_t player) const {
    std::vector<Encounter> own;
    for (const Encounter& games : encounters_) {
        if (games.first == player) own.push_back(games);
        if (games.second == player) own.push_back(games.seen_from_the_other_side());
    }
    return own;
}

Tally ResultTable::total_of(std::size_t player) const {
    Tally sum;
    for (const Encounter& games : encounters_of(player)) sum += games.all();
    return sum;
}

double ResultTable::games() const {
    double sum = 0;
    for (const Encounter& games : encounters_) sum += games.all().games();
    return sum;
}

}  // namespace solis::lab
