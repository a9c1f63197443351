// What a number on the command line may be, and how a wrong one is told.
#pragma once
#include <limits>
#include <string>

namespace solis::cli {

struct NumberRule {
    enum class Kind { Int32, Int64, Unsigned64, Real };

    Kind kind = Kind::Real;
    // Both ends are allowed. Beyond 2^53 the ends of 64-bit types are those of the type.
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool above_zero = false;  // 0 itself is not allowed, which `low` cannot say

    // Empty where `text` fits; otherwise what is wrong with it, for example
    // "0 is out of range: 1 to 1,000,000".
    [[nodiscard]] std::string objection(const std::string& text) const;
    // For the help: "INT:1..100".
    [[nodiscard]] std::string type_name() const;
};

// Without an exponent where it is whole; with commas from 10,000 on.
[[nodiscard]] std::string readable_number(double value);

}  // namespace solis::cli
