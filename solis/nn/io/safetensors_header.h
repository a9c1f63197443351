// The JSON header of a safetensors file, checked for form but not yet against the data.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"

namespace solis::nn {

struct SafetensorsEntry {
    std::string name;
    std::string dtype;
    std::vector<std::size_t> shape;
    std::size_t begin = 0;  // bytes from the start of the data
    std::size_t end = 0;
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries;
    std::map<std::string, std::string> metadata;
};

// Any text. Refuses what is not JSON, duplicate names and fields, missing fields, and anything
// that is nested or typed differently than the format says.
[[nodiscard]] Result<SafetensorsHeader> parse_safetensors_header(std::string_view json);
[[nodiscard]] std::string to_json(const SafetensorsHeader& header);

}  // namespace solis::nn
