// The thread that writes while another thinks.
#include "solis/studio/think/events.h"

#include <chrono>
#include <thread>

#include <fmt/format.h>

namespace solis::studio {
namespace {

using EventClock = std::chrono::steady_clock;

// News are gathered for so long before they are written again.
constexpr std::chrono::milliseconds kEventInterval{50};
// How often the client is looked at, and how often it hears that there is nothing new.
constexpr std::chrono::milliseconds kClientLook{200}, kHeartbeat{5000};

}  // namespace

std::string event_text(std::string_view name, std::string_view json) {
    return fmt::format("event: {}\ndata: {}\n\n", name, json);
}

HttpResponse event_response(std::function<void(HttpStream&)> stream) {
    HttpResponse response;
    response.type = "text/event-stream";
    response.headers = {{"X-Accel-Buffering", "no"}};
    response.stream = std::move(stream);
    return response;
}

void stream_job(HttpStream& stream, Job& job, const std::function<void()>& work,
                const std::function<std::string(const News&)>& format) {
    std::jthread thinker([&] {
        try {
            work();
        } catch (const std::exception&) {
            job.feed().put_event("error", R"({"error":{"message":"out of memory"}})");
        }
        job.feed().finish();
    });
    auto last_written = EventClock::now();
    while (true) {
        const News news = job.feed().wait(kClientLook);
        std::string text, last;
        for (const auto& [name, json] : news.events) {
            (name == "done" || name == "error" ? last : text) += event_text(name, json);
        }
        text += format(news) + last;
        if (text.empty() && EventClock::now() - last_written > kHeartbeat) text = ": \n\n";
        if (!text.empty()) {
            last_written = EventClock::now();
            if (!stream.write(text)) job.stop(StopReason::ClientGone);
        }
        if (news.finished) break;
        if (!stream.is_open()) job.stop(StopReason::ClientGone);
        if (!news.infos.empty() || !news.nodes.empty()) std::this_thread::sleep_for(kEventInterval);
    }
}

}  // namespace solis::studio
