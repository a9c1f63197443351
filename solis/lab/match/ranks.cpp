// Ranks and their logs.
#include "solis/lab/match/ranks.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <unordered_set>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include "solis/data/formats/fields.h"

namespace solis::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".rank";

std::optional<int> number_in(const char* variable) {
    const char* text = std::getenv(variable);
    return text == nullptr ? std::nullopt : data::parse_number<int>(text);
}

// In the order of their names, so that the outcome does not depend on the file system.
std::vector<fs::path> rank_files(const fs::path& log) {
    std::vector<fs::path> files;
    const fs::path folder = log.has_parent_path() ? log.parent_path() : fs::path(".");
    const std::string begin = log.filename().string() + std::string(kSuffix);
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(begin)) continue;
        if (data::parse_number<int>(std::string_view(name).substr(begin.size()))) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

// Whoever writes a log holds its lock.
bool is_being_written(const fs::path& path) {
    const auto file = FileDescriptor::open(path, O_RDONLY);
    return file && ::flock(file->get(), LOCK_EX | LOCK_NB) != 0;
}

}  // namespace

Ranks ranks_from_environment() {
    constexpr std::array<std::array<const char*, 2>, 2> kVariables{
        {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}}};
    for (const auto& [rank_name, size_name] : kVariables) {
        const auto rank = number_in(rank_name), size = number_in(size_name);
        if (rank && size && *rank >= 0 && *rank < *size) return {*rank, *size};
    }
    return {};
}

fs::path log_of_rank(const fs::path& log, int rank) {
    if (rank == 0) return log;
    return log.string() + fmt::format("{}{}", kSuffix, rank);
}

Result<std::vector<GameRecord>> read_all_logs(const fs::path& log) {
    auto whole = read_game_log(log);
    if (!whole) return tl::unexpected(whole.error());
    std::vector<GameRecord> games = std::move(whole->games);
    std::unordered_set<std::uint64_t> numbers;
    for (const GameRecord& game : games) numbers.insert(game.number);
    for (const fs::path& file : rank_files(log)) {
        auto part = read_game_log(file);
        if (!part) return tl::unexpected(part.error());
        if (!part->identity.empty() && !whole->identity.empty() &&
            part->identity != whole->identity) {
            return fail(
                fmt::format("'{}' belongs to another match than '{}'", file.string(), log.string()),
                "move it away");
        }
        for (GameRecord& game : part->games) {
            if (numbers.insert(game.number).second) games.push_back(std::move(game));
        }
    }
    return games;
}

Result<void> absorb_rank_logs(const fs::path& log, GameLog& open_log) {
    std::unordered_set<std::uint64_t> known;
    auto whole = read_game_log(log);
    if (!whole) return tl::unexpected(whole.error());
    for (const GameRecord& game : whole->games) known.insert(game.number);
    for (const fs::path& path : rank_files(log)) {
        if (is_being_written(path)) continue;
        const auto part = read_game_log(path);
        if (!part) return tl::unexpected(part.error());
        for (const GameRecord& game : part->games) {
            if (!known.insert(game.number).second) continue;
            if (auto added = open_log.add(game); !added) return added;
        }
        std::error_code error;
        fs::remove(path, error);
        if (error) {
            return fail(fmt::format("cannot remove '{}': {}", path.string(), error.message()));
        }
    }
    return {};
}

bool other_ranks_write(const fs::path& log) {
    const auto files = rank_files(log);
    return std::any_of(files.begin(), files.end(), is_being_written);
}

}  // namespace solis::lab
