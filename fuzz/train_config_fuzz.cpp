// Any text as the TOML of a training run: refused, or a config that survives being written and read
// again. The first byte chooses whether it is read over the defaults or over a preset.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/train/config.h"

namespace train = solis::train;

int train_config_fuzz(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto names = train::preset_names();
    const auto base = train::preset(names[data[0] % names.size()]);
    if (!base) std::abort();
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::vector<std::string> notes;
    const auto config = train::parse_config(text, *base, &notes);
    if (!config) return 0;
    static_cast<void>(train::validate(*config));
    const std::string toml = train::to_toml(*config);
    const auto again = train::parse_config(toml, train::TrainConfig{});
    // Compared as text, in which a NaN equals itself.
    if (!again || train::to_toml(*again) != toml) std::abort();
    return 0;
}
