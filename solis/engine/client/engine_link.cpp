// Words for how an engine ended.
#include "solis/engine/client/engine_link.h"

#include <cstring>

#include <fmt/format.h>

namespace solis::engine {

std::string ExitStatus::text() const {
    if (!signalled) return fmt::format("exited with code {}", code);
    return fmt::format("was killed by signal {} ({})", code, ::strsignal(code));
}

}  // namespace solis::engine
