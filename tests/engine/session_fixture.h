// A session on strings: no threads, and searches of a few hundred positions.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solis/engine/uci/session.h"
#include "solis/engine/words.h"

namespace solis::engine {

class StringOutput final : public LineOutput {
  public:
    void write(std::string_view lines) override {
        text_ += lines;
        text_ += '\n';
    }
    [[nodiscard]] std::string take() { return std::exchange(text_, {}); }

  private:
    std::string text_;
};

class InlineSession {
  public:
    explicit InlineSession(std::uint64_t node_cap = 400)
        : session_({.output = output_, .runner = runner_, .node_cap = node_cap}) {}

    // The lines said in answer to these lines.
    std::vector<std::string> say(std::string_view lines) {
        while (!lines.empty() && running_) {
            const std::size_t end = std::min(lines.find('\n'), lines.size());
            running_ = session_.handle(lines.substr(0, end));
            lines.remove_prefix(std::min(end + 1, lines.size()));
        }
        return split(output_.take());
    }
    [[nodiscard]] bool running() const { return running_; }
    [[nodiscard]] Session& session() { return session_; }

    static std::vector<std::string> split(std::string_view text) {
        std::vector<std::string> lines;
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            lines.emplace_back(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return lines;
    }

  private:
    StringOutput output_;
    InlineRunner runner_;
    Session session_;
    bool running_ = true;
};

[[nodiscard]] inline std::size_t count_starting(const std::vector<std::string>& lines,
                                                std::string_view start) {
    std::size_t count = 0;
    for (const std::string& line : lines) count += line.starts_with(start) ? 1 : 0;
    return count;
}

}  // namespace solis::engine
