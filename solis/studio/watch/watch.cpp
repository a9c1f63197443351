// Watching files.
#include "solis/studio/watch/watch.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "solis/studio/think/events.h"
#include "solis/studio/watch/follower.h"

namespace solis::studio {
namespace {

constexpr std::chrono::milliseconds kFileLook{300}, kWatchHeartbeat{5000};

std::string problem_event(const Error& error) {
    Json json{{"message", error.message}};
    if (!error.hint.empty()) json["hint"] = error.hint;
    return event_text("problem", json_text(json));
}

}  // namespace

std::vector<Watched> watch_list(const std::vector<std::string>& match_logs,
                                const std::vector<std::string>& run_folders) {
    std::vector<Watched> list;
    for (std::size_t i = 0; i < match_logs.size(); ++i) {
        list.push_back({fmt::format("m{}", i), WatchKind::Match,
                        std::filesystem::path(match_logs[i]).filename().string(), match_logs[i]});
    }
    for (std::size_t i = 0; i < run_folders.size(); ++i) {
        // A path that ends in '/' has no file name.
        const std::filesystem::path folder =
            (std::filesystem::path(run_folders[i]) / "").parent_path();
        list.push_back({fmt::format("r{}", i), WatchKind::Run, folder.filename().string(),
                        (folder / "metrics.jsonl").string()});
    }
    return list;
}

Json to_json(const Watched& watched) {
    return {{"id", watched.id},
            {"kind", watched.kind == WatchKind::Match ? "match" : "run"},
            {"name", watched.name}};
}

void stream_watch(HttpStream& stream, const Watched& watched, bool follow) {
    FileFollower file(watched.path);
    const std::unique_ptr<LineWatch> watch = make_watch(watched);
    std::string last_problem;
    auto written = std::chrono::steady_clock::now();
    while (stream.is_open()) {
        std::string text;
        const auto fresh = file.read();
        if (fresh) {
            if (fresh->restarted) watch->restart();
            text = watch->take(fresh->lines);
            last_problem.clear();
        } else if (fresh.error().message != last_problem) {
            last_problem = fresh.error().message;
            text = problem_event(fresh.error());
        }
        if (text.empty() && std::chrono::steady_clock::now() - written > kWatchHeartbeat) {
            text = ": \n\n";
        }
        if (!text.empty()) {
            written = std::chrono::steady_clock::now();
            if (!stream.write(text)) return;
        }
        if (fresh && fresh->more) continue;
        if (!follow) return;
        std::this_thread::sleep_for(kFileLook);
    }
}

}  // namespace solis::studio
