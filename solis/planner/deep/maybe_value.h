// A value that may not be there, in one register.
#pragma once
#include <optional>

#include "solis/planner/transposition_table.h"

namespace solis::planner {

// What std::optional<Value> is, without its price: gcc 12 puts that together in memory, where the
// processor must wait for two stores before it can load both as one word. Steps of the search that
// every node passes return one of these.
class MaybeValue {
  public:
    constexpr MaybeValue(std::nullopt_t) {}
    constexpr MaybeValue(Value value) : value_(value) {}

    [[nodiscard]] constexpr explicit operator bool() const { return value_ != kNone; }
    [[nodiscard]] constexpr Value operator*() const { return value_; }

  private:
    static constexpr Value kNone = TableEntry::kNoValue;

    Value value_ = kNone;
};

}  // namespace solis::planner
