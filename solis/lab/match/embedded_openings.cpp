// The default openings as a section of the binary.
#include "solis/lab/match/openings.h"

asm(".section .rodata\n"
    ".global solis_embedded_openings_begin\n"
    ".global solis_embedded_openings_end\n"
    "solis_embedded_openings_begin:\n"
    ".incbin \"" SOLIS_DEFAULT_OPENINGS
    "\"\n"
    "solis_embedded_openings_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char solis_embedded_openings_begin;
extern "C" const char solis_embedded_openings_end;

namespace solis::lab {

std::string_view embedded_openings() {
    return {
        &solis_embedded_openings_begin,
        static_cast<std::size_t>(&solis_embedded_openings_end - &solis_embedded_openings_begin)};
}

}  // namespace solis::lab
