// The options of the engine: one table for `uci`, for `setoption` and for the defaults.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "solis/base/result.h"
#include "solis/engine/uci_protocol.h"

namespace solis::engine {

// Names and meanings are Stockfish's where Stockfish has the option.
struct EngineOptions {
    std::string debug_log_file;
    int threads = 1;
    int hash = 16;  // MiB; more takes longer to clear than a start should take
    bool ponder = false;
    int multi_pv = 1;
    int move_overhead = 10;  // ms kept back for what lies between the engine and the clock
    bool chess960 = false;
    bool limit_strength = false;
    int elo = 1500;
    bool show_wdl = false;
    bool analyse_mode = false;
    std::string opponent;
    std::string about = "SOLIS, latent planning for chess";
    std::string syzygy_path;
    bool own_book = false;
    std::string book_file;
    std::string weights_file;     // empty: the embedded model
    std::string encoder_command;  // of the process whose axis is in weights_file; mostly empty
    std::string plan = "deep";
    int width = 3;  // W of the paper plan
    int depth = 5;  // S of the paper plan
    std::string scoring = "Directional";
    bool verbose_move_stats = false;

    friend bool operator==(const EngineOptions&, const EngineOptions&) = default;
};

using OptionMember = std::variant<std::monostate, bool EngineOptions::*, int EngineOptions::*,
                                  std::string EngineOptions::*>;

struct OptionEntry {
    UciOption option;
    OptionMember member;  // none: a button
};

// In the order in which `uci` lists them.
[[nodiscard]] std::vector<OptionEntry> option_table();
// "option name Hash type spin default 16 min 1 max 1048576".
[[nodiscard]] std::string option_line(const UciOption& option);

// Finds the name without regard to case, checks the value and stores it. Names of the table are
// returned as they are spelt there, so that the caller can tell buttons.
[[nodiscard]] Result<std::string> set_option(const std::vector<OptionEntry>& table,
                                             std::string_view name, std::string_view value,
                                             EngineOptions& options);

}  // namespace solis::engine
