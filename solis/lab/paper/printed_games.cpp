// The games that the paper prints, as a section of the binary.
#include "solis/lab/paper/published.h"

asm(".section .rodata\n"
    ".global solis_printed_games_begin\n"
    ".global solis_printed_games_end\n"
    "solis_printed_games_begin:\n"
    ".incbin \"" SOLIS_PRINTED_GAMES
    "\"\n"
    "solis_printed_games_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char solis_printed_games_begin;
extern "C" const char solis_printed_games_end;

namespace solis::lab {

std::string_view paper_games() {
    return {&solis_printed_games_begin,
            static_cast<std::size_t>(&solis_printed_games_end - &solis_printed_games_begin)};
}

}  // namespace solis::lab
