// The default model as a section of the binary.
#include "solis/model/embedded_model.h"

// The assembler reads the file; a byte array in C++ would take minutes to compile.
asm(".section .rodata\n"
    ".balign 64\n"
    ".global solis_embedded_model_begin\n"
    ".global solis_embedded_model_end\n"
    "solis_embedded_model_begin:\n"
    ".incbin \"" SOLIS_DEFAULT_MODEL
    "\"\n"
    "solis_embedded_model_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const char solis_embedded_model_begin;
extern "C" const char solis_embedded_model_end;

namespace solis::model {

std::string_view embedded_model_bytes() {
    return {&solis_embedded_model_begin,
            static_cast<std::size_t>(&solis_embedded_model_end - &solis_embedded_model_begin)};
}

Result<ModelFile> load_model_or_default(const std::string& path) {
    return path.empty() ? parse_model(embedded_model_bytes()) : load_model(path);
}

}  // namespace solis::model
