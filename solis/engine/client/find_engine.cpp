// Looking for engines on this machine.
#include "solis/engine/client/find_engine.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

namespace solis::engine {
namespace {

constexpr std::string_view kUsualFolders =
    "/usr/games:/usr/local/games:/usr/local/bin:/usr/bin:/opt/homebrew/bin:/snap/bin";
constexpr const char* kStockfishHint =
    "install it (apt-get install stockfish), or set SOLIS_STOCKFISH to its path";

bool is_program(const std::string& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

std::string find_in(std::string_view folders, const std::string& name) {
    while (!folders.empty()) {
        const std::string_view folder = folders.substr(0, folders.find(':'));
        folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
        if (folder.empty()) continue;
        const std::string path = std::string(folder) + '/' + name;
        if (is_program(path)) return path;
    }
    return {};
}

}  // namespace

Result<std::string> find_engine(const std::string& name) {
    if (name.find('/') != std::string::npos) {
        if (is_program(name)) return name;
        return fail(fmt::format("'{}' is not a program", name),
                    "check the path and that the file is executable");
    }
    const char* path = std::getenv("PATH");
    std::string found = find_in(path != nullptr ? path : "", name);
    if (found.empty()) found = find_in(kUsualFolders, name);
    if (!found.empty()) return found;
    return fail(fmt::format("no engine '{}' in PATH or {}", name, kUsualFolders),
                name == "stockfish" ? kStockfishHint : "give the path of the engine");
}

Result<std::string> find_stockfish() {
    const char* chosen = std::getenv("SOLIS_STOCKFISH");
    if (chosen == nullptr || *chosen == '\0') return find_engine("stockfish");
    auto found = find_engine(chosen);
    if (!found) return fail_in("SOLIS_STOCKFISH", found.error());
    return found;
}

}  // namespace solis::engine
