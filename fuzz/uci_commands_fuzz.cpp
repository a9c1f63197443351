// What a GUI may say, read without an engine behind it: position, go and setoption, line by line. A
// game that is read is legal, limits are within their bounds, options hold what their table allows.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/engine/uci/engine_options.h"
#include "solis/engine/uci/gui_commands.h"
#include "solis/engine/words.h"

namespace chess = solis::chess;
namespace engine = solis::engine;

namespace {

void expect(bool truth) {
    if (!truth) std::abort();
}

class Reader {
  public:
    explicit Reader(const std::vector<engine::OptionEntry>& table) : table_(table) {}

    void read(std::string_view line) {
        const std::string_view word = engine::next_word(line);
        if (word == "position") {
            read_position(line);
        } else if (word == "go") {
            read_go(line);
        } else if (word == "setoption") {
            read_option(line);
        }
    }

  private:
    void read_position(std::string_view arguments) {
        auto game = engine::parse_position(arguments);
        if (!game) return expect(!game.error().message.empty());
        game_ = std::move(*game);
        const auto again = chess::parse_fen(chess::to_fen(game_.position()));
        expect(again && *again == game_.position());
    }

    void read_go(std::string_view arguments) const {
        const engine::GoCommand go = engine::parse_go(arguments, game_.position());
        const auto legal = chess::legal_moves(game_.position());
        for (const chess::Move move : go.limits.search_moves) {
            expect(std::find(legal.begin(), legal.end(), move) != legal.end());
        }
        expect(go.limits.search_moves.size() <= legal.size());
        expect(go.limits.search_moves.empty() || go.restricted);
        expect(go.limits.depth.value_or(1) >= 1 && go.limits.nodes.value_or(1) >= 1);
        expect(go.limits.mate.value_or(1) >= 1 && go.perft.value_or(1) >= 1);
        expect(!go.limits.movetime || go.limits.movetime->count() >= 1);
        expect(!go.limits.clock ||
               (go.limits.clock->white.count() >= 0 && go.limits.clock->black.count() >= 0));
    }

    void read_option(std::string_view arguments) {
        const auto command = engine::parse_setoption(arguments);
        if (!command) return;
        const engine::EngineOptions before = options_;
        if (!engine::set_option(table_, command->name, command->value, options_)) {
            expect(options_ == before);
        }
        for (const engine::OptionEntry& entry : table_) {
            if (const auto* number = std::get_if<int engine::EngineOptions::*>(&entry.member)) {
                expect(options_.*(*number) >= entry.option.min &&
                       options_.*(*number) <= entry.option.max);
            }
        }
    }

    const std::vector<engine::OptionEntry>& table_;
    engine::EngineOptions options_;
    chess::Game game_;
};

}  // namespace

int uci_commands_fuzz(const std::uint8_t* data, std::size_t size) {
    static const std::vector<engine::OptionEntry> table = engine::option_table();
    Reader reader(table);
    std::string_view input(reinterpret_cast<const char*>(data), size);
    while (!input.empty()) {
        const std::size_t end = std::min(input.find('\n'), input.size());
        reader.read(input.substr(0, end));
        input.remove_prefix(std::min(end + 1, input.size()));
    }
    return 0;
}
