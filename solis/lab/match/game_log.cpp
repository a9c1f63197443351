// Appending to and repairing the game log.
#include "solis/lab/match/game_log.h"

#include <cerrno>
#include <cstring>
#include <unordered_set>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include "solis/base/byte_source.h"
#include "solis/lab/shallow_json.h"

namespace solis::lab {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "solis match log 1";

std::string heading(const std::string& identity) {
    const Json match = Json::parse(identity, nullptr, false);
    return Json{{"format", kFormat}, {"match", match}}.dump(-1, ' ', false,
                                                            Json::error_handler_t::replace);
}

Result<std::string> parse_heading(std::string_view line) {
    const Json json = parse_shallow_json(line);
    if (!json.is_object() || json.value("format", Json()) != kFormat || !json.contains("match")) {
        return fail("line 1: this is no match log", "give --log a new name");
    }
    return json["match"].dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A file without a complete first line is ours only where its bytes begin the very heading that
// this match writes: a kill may have torn it. Anything else belongs to somebody.
Result<void> check_torn_heading(std::string_view bytes, const std::string& identity,
                                const std::string& name) {
    if (heading(identity).starts_with(bytes)) return {};
    return fail(fmt::format("'{}' is not the log of a match, and is left as it is", name),
                "give --log a new name");
}

// One process at a time; the lock goes with the file descriptor.
Result<void> lock_file(const FileDescriptor& file, const std::string& name) {
    if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) return {};
    return fail(fmt::format("'{}' is being written by another match", name),
                "wait for it or give --log another name");
}

Result<void> check_identity(const std::string& found, const std::string& wanted,
                            const std::string& name) {
    const Json expected = Json::parse(wanted, nullptr, false);
    const Json actual = Json::parse(found, nullptr, false);
    if (expected == actual) return {};
    for (const auto& [key, value] : expected.items()) {
        if (actual.is_object() && actual.contains(key) && actual[key] == value) continue;
        const std::string old =
            actual.is_object() && actual.contains(key)
                ? actual[key].dump(-1, ' ', false, Json::error_handler_t::replace)
                : "missing";
        return fail(fmt::format("'{}' belongs to another match: its {} is {}, not {}", name, key,
                                old, value.dump(-1, ' ', false, Json::error_handler_t::replace)),
                    "give --log another name to begin a new match");
    }
    return fail(fmt::format("'{}' belongs to another match", name),
                "give --log another name to begin a new match");
}

}  // namespace

Result<LogContent> parse_game_log(std::string_view bytes) {
    LogContent content;
    std::unordered_set<std::uint64_t> numbers;
    std::size_t line_number = 0;
    while (true) {
        const std::size_t end = bytes.find('\n', content.whole_bytes);
        if (end == std::string_view::npos) {
            content.torn = bytes.substr(content.whole_bytes);
            return content;
        }
        const std::string_view line = bytes.substr(content.whole_bytes, end - content.whole_bytes);
        content.whole_bytes = end + 1;
        if (++line_number == 1) {
            auto identity = parse_heading(line);
            if (!identity) return tl::unexpected(identity.error());
            content.identity = std::move(*identity);
            continue;
        }
        auto game = parse_json_line(line);
        if (!game) return fail_in(fmt::format("line {}", line_number), game.error());
        if (!numbers.insert(game->number).second) {
            ++content.repeated;
        } else {
            content.games.push_back(std::move(*game));
        }
    }
}

Result<LogContent> read_game_log(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return LogContent{};
    const auto bytes = read_file(path.string());
    if (!bytes) return tl::unexpected(bytes.error());
    auto content = parse_game_log(*bytes);
    if (!content) return fail_in(path.string(), content.error());
    return content;
}

Result<GameLog> GameLog::open(const std::filesystem::path& path, const std::string& identity) {
    const std::string name = path.string();
    auto file = FileDescriptor::open_regular(path, O_RDWR | O_CREAT | O_APPEND);
    if (!file) return tl::unexpected(file.error());
    if (auto locked = lock_file(*file, name); !locked) return tl::unexpected(locked.error());
    auto content = read_game_log(path);
    if (!content) return tl::unexpected(content.error());
    const auto ours = content->identity.empty() ? check_torn_heading(content->torn, identity, name)
                                                : check_identity(content->identity, identity, name);
    if (!ours) return tl::unexpected(ours.error());
    const auto size = file->size();
    if (!size) return tl::unexpected(size.error());
    const std::size_t dropped = *size - content->whole_bytes;
    if (dropped > 0 && ::ftruncate(file->get(), static_cast<off_t>(content->whole_bytes)) != 0) {
        return fail(fmt::format("cannot repair '{}': {}", name, std::strerror(errno)));
    }
    const bool is_new = content->identity.empty();
    GameLog log(std::move(*file), std::move(*content), dropped);
    if (is_new) {
        const std::string line = heading(identity) + '\n';
        if (auto written = log.file_.write(as_bytes(line)); !written) {
            return tl::unexpected(written.error());
        }
    }
    return log;
}

Result<void> GameLog::add(const GameRecord& game) {
    const std::string line = to_json_line(game) + '\n';
    if (auto written = file_.write(as_bytes(line)); !written) {
        return fail_in("the game log", written.error());
    }
    return file_.sync();
}

}  // namespace solis::lab
