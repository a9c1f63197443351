// Reads /proc/meminfo and the control groups, version 2 and 1.
#include "solis/base/available_memory.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace solis {
namespace {

namespace fs = std::filesystem;
using ByteCount = std::optional<std::uint64_t>;

// The number behind the line's first word; none if no line begins with it.
ByteCount number_after(const fs::path& file, const std::string& word) {
    std::ifstream in(file);
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        std::string first;
        std::uint64_t number = 0;
        if (words >> first >> number && first == word) return number;
    }
    return std::nullopt;
}

// None for "max" and for files that are not there.
ByteCount number_in(const fs::path& file) {
    std::ifstream in(file);
    std::uint64_t number = 0;
    if (in >> number) return number;
    return std::nullopt;
}

void take_smaller(ByteCount& least, ByteCount other) {
    if (other && (!least || *other < *least)) least = other;
}

// What is left of the limit of one group. Pages of files count as used but are given back on
// demand.
ByteCount left_in_group(const fs::path& group) {
    ByteCount limit = number_in(group / "memory.max");
    ByteCount used = number_in(group / "memory.current");
    if (!limit) {
        limit = number_in(group / "memory.limit_in_bytes");
        used = number_in(group / "memory.usage_in_bytes");
    }
    if (!limit || !used) return std::nullopt;
    const std::uint64_t kept =
        *used - std::min(*used, number_after(group / "memory.stat", "inactive_file").value_or(0));
    return *limit - std::min(*limit, kept);
}

// The least that is left in a group and in those above it, whose limits hold for it, too.
ByteCount left_in_groups(const fs::path& hierarchy, const std::string& path) {
    ByteCount least;
    for (fs::path group = fs::path(path).relative_path();; group = group.parent_path()) {
        take_smaller(least, left_in_group(hierarchy / group));
        if (group.empty()) return least;
    }
}

}  // namespace

std::optional<std::uint64_t> available_memory(const fs::path& root) {
    ByteCount least = number_after(root / "proc/meminfo", "MemAvailable:");
    if (least) *least *= 1024;
    std::ifstream groups(root / "proc/self/cgroup");
    std::string line;
    while (std::getline(groups, line)) {
        // "0::/path" in version 2, "7:memory:/path" in version 1.
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        const std::string path = line.substr(second + 1);
        const fs::path base = root / "sys/fs/cgroup";
        if (controllers.empty()) take_smaller(least, left_in_groups(base, path));
        if (controllers == "memory") take_smaller(least, left_in_groups(base / "memory", path));
    }
    return least;
}

}  // namespace solis
