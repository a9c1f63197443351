// The search tree of the puct plan.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "solis/chess/types.h"
#include "solis/planner/value.h"

namespace solis::planner {

// A position in the tree, as the side that moved there sees it.
struct PuctNode {
    chess::Move move;
    std::uint16_t child_count = 0;
    bool expanded = false;
    bool busy = false;      // another thread is about to expand it
    bool finished = false;  // by the rules
    std::uint32_t first_child = 0;
    std::uint32_t visits = 0;
    float prior = 0;
    float latent = 0;   // win probability by the latent score alone
    double points = 0;  // sum of win probabilities over visits
    Value decided = 0;  // a mate counted from here, where one is proven; else 0
    Value latent_value = 0;

    // Win probability. The latent score counts as one visit, so that no child starts from nothing.
    [[nodiscard]] double mean() const { return (latent + points) / (1.0 + visits); }
};

// Grows in blocks that never move, because copying a large tree would delay the answer to `stop`.
// For the same reason the memory is kept from one plan to the next.
class PuctTree {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] PuctNode& operator[](std::size_t index) {
        return pieces_[index / kPiece][index % kPiece];
    }
    [[nodiscard]] const PuctNode& operator[](std::size_t index) const {
        return pieces_[index / kPiece][index % kPiece];
    }
    void push_back(const PuctNode& node) {
        if (size_ == pieces_.size() * kPiece) {
            pieces_.push_back(std::make_unique<PuctNode[]>(kPiece));
        }
        (*this)[size_++] = node;
    }
    // Forgets the nodes and keeps the memory.
    void restart() { size_ = 0; }
    void clear() { *this = PuctTree(); }

  private:
    static constexpr std::size_t kPiece = std::size_t{1} << 14;

    std::vector<std::unique_ptr<PuctNode[]>> pieces_;
    std::size_t size_ = 0;
};

}  // namespace solis::planner
