// Matches and training runs that other programs are busy with, as streams of events.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "solis/studio/api/json.h"
#include "solis/studio/http/message.h"

namespace solis::studio {

enum class WatchKind { Match, Run };

struct Watched {
    std::string id;
    WatchKind kind = WatchKind::Match;
    std::string name;
    std::string path;  // of the log or of metrics.jsonl
};

// Ids m0, m1 ... for logs of matches, r0, r1 ... for folders of runs.
[[nodiscard]] std::vector<Watched> watch_list(const std::vector<std::string>& match_logs,
                                              const std::vector<std::string>& run_folders);
[[nodiscard]] Json to_json(const Watched& watched);

// Turns lines of a file into events.
class LineWatch {
  public:
    virtual ~LineWatch() = default;
    // The file began anew.
    virtual void restart() = 0;
    // Lines as they come. Returns events.
    [[nodiscard]] virtual std::string take(const std::vector<std::string>& lines) = 0;
};
[[nodiscard]] std::unique_ptr<LineWatch> make_watch(const Watched& watched);

// Writes events until the client has gone; without `follow`, until the end of the file.
void stream_watch(HttpStream& stream, const Watched& watched, bool follow);

}  // namespace solis::studio
