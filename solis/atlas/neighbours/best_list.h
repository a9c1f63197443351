// The few best of many candidates.
#pragma once
#include <cstdint>
#include <limits>
#include <span>

namespace solis::atlas {

struct Candidate {
    float closeness = -std::numeric_limits<float>::infinity();  // larger is nearer
    std::uint32_t index = 0;
};

// Puts a candidate into a list sorted by falling closeness, whose last one drops out. The caller
// has checked that it is closer than the last. Among equals the earlier one stays ahead.
inline void insert_candidate(std::span<Candidate> list, Candidate candidate) {
    std::size_t at = list.size() - 1;
    for (; at > 0 && list[at - 1].closeness < candidate.closeness; --at) list[at] = list[at - 1];
    list[at] = candidate;
}

}  // namespace solis::atlas
