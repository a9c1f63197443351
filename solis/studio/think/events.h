// Server-sent events: what jobs tell, written to a client as it can take it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "solis/studio/http/message.h"
#include "solis/studio/think/job.h"

namespace solis::studio {

[[nodiscard]] std::string event_text(std::string_view name, std::string_view json);
// The headers of a stream of events.
[[nodiscard]] HttpResponse event_response(std::function<void(HttpStream&)> stream);

// Runs `work` on a thread of its own and writes what the job's feed gets until it is finished.
// `format` turns news into events. A client that goes away stops the job.
void stream_job(HttpStream& stream, Job& job, const std::function<void()>& work,
                const std::function<std::string(const News&)>& format);

}  // namespace solis::studio
