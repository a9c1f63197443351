// solis perft: counts legal move sequences.
#include <chrono>
#include <memory>

#include <nlohmann/json.hpp>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/perft.h"
#include "solis/chess/uci_move.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

struct PerftOptions {
    std::string fen{chess::kStartFen};
    int depth = 0;
    bool divide = false;
    bool json = false;
};

struct Branch {
    std::string move;
    std::uint64_t nodes;
};

std::vector<Branch> count_branches(const chess::Position& position, int depth) {
    std::vector<Branch> branches;
    for (const chess::Move move : chess::legal_moves(position)) {
        branches.push_back(
            {chess::to_uci(position, move), chess::perft(position.after(move), depth - 1)});
    }
    return branches;
}

ExitCode run_perft(const PerftOptions& options, Console& console) {
    const auto position =
        options.fen == "startpos" ? chess::Position::start() : chess::parse_fen(options.fen);
    if (!position) return console.error(position.error());

    const auto start = std::chrono::steady_clock::now();
    std::vector<Branch> branches;
    std::uint64_t total = 0;
    if (options.divide && options.depth > 0) {
        branches = count_branches(*position, options.depth);
        for (const Branch& branch : branches) total += branch.nodes;
    } else {
        total = chess::perft(*position, options.depth);
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    const double rate = static_cast<double>(total) / std::max(elapsed.count(), 1e-9);

    if (options.json) {
        nlohmann::ordered_json report{{"fen", chess::to_fen(*position)},
                                      {"depth", options.depth},
                                      {"nodes", total},
                                      {"seconds", elapsed.count()}};
        for (const Branch& branch : branches) report["divide"][branch.move] = branch.nodes;
        print_json(console, report);
        return ExitCode::Ok;
    }
    for (const Branch& branch : branches) console.print("{}: {}\n", branch.move, branch.nodes);
    console.print("{}\n", total);
    console.note("{:.3f} s, {:.1f} million nodes/s", elapsed.count(), rate / 1e6);
    return ExitCode::Ok;
}

}  // namespace

void add_perft(Command& parent, Session& session) {
    const auto options = std::make_shared<PerftOptions>();
    Command* command = parent.add_subcommand("perft", "count legal move sequences");
    command->add_option("fen", options->fen, "position as FEN, or 'startpos'")->required();
    command->add_option("depth", options->depth, "plies")->required()->range(0, 20);
    command->add_flag("--divide", options->divide, "one line per first move");
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_perft(*options, session.console); });
}

}  // namespace solis::cli
