// Any line an engine may print is read without harm, and what is read lies inside the line.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/engine/uci_protocol.h"

namespace engine = solis::engine;

namespace {

void expect_inside(std::string_view part, std::string_view whole) {
    if (part.empty()) return;
    const bool inside =
        part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
    if (!inside) std::abort();
}

}  // namespace

int uci_line_fuzz(const std::uint8_t* data, std::size_t size) {
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    if (const auto info = engine::parse_info(line)) expect_inside(info->pv, line);
    if (const auto best = engine::parse_bestmove(line)) {
        if (best->move.empty()) std::abort();
        expect_inside(best->move, line);
        expect_inside(best->ponder, line);
    }
    if (const auto option = engine::parse_option(line)) {
        if (option->name.empty()) std::abort();
        (void)option->check(option->default_value);
    }
    return 0;
}
