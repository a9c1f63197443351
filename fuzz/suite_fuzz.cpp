// Any text given as a suite is read or refused, and every problem can be put: its moves are legal.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/movegen.h"
#include "solis/lab/suite/suite.h"

namespace lab = solis::lab;
namespace chess = solis::chess;

namespace {

void require_legal(const chess::Position& position, chess::Move move) {
    if (!chess::is_legal(position, move)) std::abort();
}

void check(const lab::Problem& problem) {
    for (const chess::Move move : problem.best) require_legal(problem.position, move);
    for (const chess::Move move : problem.avoid) require_legal(problem.position, move);
    for (const auto& [move, points] : problem.points) require_legal(problem.position, move);
    chess::Position position = problem.position;
    for (const chess::Move move : problem.line) {
        require_legal(position, move);
        position = position.after(move);
    }
}

}  // namespace

// The first byte chooses between EPD and CSV.
int suite_fuzz(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
    const char* name = bytes[0] % 2 == 0 ? "fuzz.epd" : "fuzz.csv";
    const auto suite = lab::read_suite(name, solis::memory_source(text), 0);
    if (!suite) return 0;
    for (const lab::Problem& problem : suite->problems) check(problem);
    return 0;
}
