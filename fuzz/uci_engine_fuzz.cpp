// Whatever a client says, the engine survives and, once it is stopped, has answered every go with
// exactly one bestmove.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "solis/engine/uci/session.h"
#include "solis/engine/words.h"
#include "solis/model/open.h"

namespace engine = solis::engine;

namespace {

class Watcher final : public engine::LineOutput {
  public:
    void write(std::string_view lines) override {
        while (!lines.empty()) {
            const std::size_t end = std::min(lines.find('\n'), lines.size());
            if (lines.substr(0, end).starts_with("bestmove ")) ++best_moves_;
            lines.remove_prefix(std::min(end + 1, lines.size()));
        }
    }
    [[nodiscard]] int best_moves() const { return best_moves_; }

  private:
    int best_moves_ = 0;
};

// Not what this looks for: lines that open files, take much memory or take long by design.
bool is_wanted(std::string_view line) {
    constexpr std::array<std::string_view, 9> kUnwanted{"hash",  "thread", "file",  "path", "perft",
                                                        "bench", "depth",  "width", "quit"};
    std::string lower(line);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return std::none_of(kUnwanted.begin(), kUnwanted.end(), [&](std::string_view word) {
        return lower.find(word) != std::string::npos;
    });
}

std::shared_ptr<const solis::model::LoadedModel> embedded_model() {
    return solis::model::open({}).value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto model = embedded_model();
    Watcher watcher;
    engine::InlineRunner runner;
    engine::Session session({.output = watcher, .runner = runner, .model = model, .node_cap = 20});
    if (!session.handle("setoption name Hash value 1")) std::abort();
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    int searches = 0;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!is_wanted(line)) continue;
        std::string_view words = line;
        if (engine::next_word(words) == "go") ++searches;
        if (!session.handle(line)) std::abort();
    }
    if (!session.handle("stop") || session.is_busy()) std::abort();
    if (watcher.best_moves() != searches) std::abort();
    return 0;
}
