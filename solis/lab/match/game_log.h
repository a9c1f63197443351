// The log of a match: one line per finished game, on the disk before the next one is counted.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/file_descriptor.h"
#include "solis/base/result.h"
#include "solis/lab/match/game_record.h"

namespace solis::lab {

// What a log holds. The first line says which match it is; games follow in the order they ended.
struct LogContent {
    std::string identity;           // empty: not even the first line is complete
    std::vector<GameRecord> games;  // each number once
    std::size_t whole_bytes = 0;    // up to the end of the last complete line
    std::string torn;               // bytes after it, which a kill left without their line end
    std::size_t repeated = 0;       // games whose number had come before; the first one counts
};

// A last line without its end was cut off by a kill and is not counted. Any other line that cannot
// be read is an error that names it.
[[nodiscard]] Result<LogContent> parse_game_log(std::string_view bytes);
// A file that does not exist is an empty log.
[[nodiscard]] Result<LogContent> read_game_log(const std::filesystem::path& path);

// The file open for writing, by one process at a time.
class GameLog {
  public:
    // Creates the file or continues it: a torn last line is cut off. `identity` is JSON text on
    // which everything depends that makes two matches comparable; a log of another match is
    // refused, and so is one that another process is writing, and any file that is no log.
    [[nodiscard]] static Result<GameLog> open(const std::filesystem::path& path,
                                              const std::string& identity);

    // Games of earlier sessions.
    [[nodiscard]] const LogContent& earlier() const { return earlier_; }
    // Bytes of a game that a kill left unfinished; it is played again.
    [[nodiscard]] std::size_t dropped_bytes() const { return dropped_bytes_; }

    // On the disk when this returns.
    [[nodiscard]] Result<void> add(const GameRecord& game);

  private:
    GameLog(FileDescriptor file, LogContent earlier, std::size_t dropped_bytes)
        : file_(std::move(file)), earlier_(std::move(earlier)), dropped_bytes_(dropped_bytes) {}

    FileDescriptor file_;
    LogContent earlier_;
    std::size_t dropped_bytes_;
};

}  // namespace solis::lab
