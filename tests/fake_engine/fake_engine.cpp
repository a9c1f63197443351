// A UCI engine for tests that misbehaves on request. Usage: fake_engine MODE [N]
// It plays the first legal move and scores a position by its key, so that runs can be compared.
// Modes: normal, no-uciok, no-readyok, slow-start (N ms), garbage, crash-at-start, ignore-quit,
// and, from search N on (1 by default): crash, exit, stall, flood, long-line, illegal, no-move,
// bounds-only, until-stop (answers only when it is told to stop). slow N: every search takes N ms,
// whatever it is told. crash-once FILE: crashes in search 5 unless FILE exists, and leaves it
// behind.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

#include <unistd.h>

#include "solis/chess/fen.h"
#include "solis/chess/movegen.h"
#include "solis/chess/uci_move.h"

namespace {

using solis::chess::Position;

[[noreturn]] void hang() {
    while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

class FakeEngine {
  public:
    FakeEngine(std::string mode, std::string argument)
        : mode_(std::move(mode)), argument_(std::move(argument)) {}

    int run() {
        if (mode_ == "crash-at-start") std::raise(SIGKILL);
        if (mode_ == "slow-start") sleep_ms(std::atoi(argument_.c_str()));
        std::string line;
        while (std::getline(std::cin, line)) {
            if (line == "quit" && mode_ != "ignore-quit") return 0;
            answer(line);
            std::cout.flush();
        }
        if (mode_ == "ignore-quit") hang();
        return 0;
    }

  private:
    void answer(const std::string& line) {
        if (mode_ == "garbage") {
            std::cout << "Hello! \x1b[31mI am not an engine.\n";
        } else if (line == "uci") {
            std::cout << "id name Fake Engine 1\nid author the tests\n"
                         "option name Hash type spin default 16 min 1 max 1024\n"
                         "option name Style of Play type combo default Solid var Solid var Very "
                         "Risky\n"
                         "option name Clear Hash type button\n"
                         "option name UCI_Chess960 type check default false\n";
            if (mode_ != "no-uciok") std::cout << "uciok\r\n";
        } else if (line == "isready") {
            if (mode_ != "no-readyok") std::cout << "readyok\n";
        } else if (line == "stop" && searching_) {
            searching_ = false;
            std::cout << "info depth 1 score cp 0\nbestmove " << first_move() << "\n";
        } else if (line.starts_with("position fen ")) {
            const std::string fen = line.substr(13, line.find(" moves") - 13);
            if (auto parsed = solis::chess::parse_fen(fen)) position_ = *parsed;
            play_moves(line);
        } else if (line.starts_with("position startpos")) {
            position_ = Position::start();
            play_moves(line);
        } else if (line.starts_with("go")) {
            ++searches_;
            search();
        }
    }

    void play_moves(const std::string& line) {
        const std::size_t begin = line.find(" moves ");
        if (begin == std::string::npos) return;
        std::istringstream words(line.substr(begin + 7));
        for (std::string word; words >> word;) {
            if (auto move = solis::chess::parse_uci(position_, word)) {
                position_ = position_.after(*move);
            }
        }
    }

    void search() {
        if (mode_ == "slow") sleep_ms(std::atoi(argument_.c_str()));
        if (mode_ == "crash-once" && searches_ == 5 && !std::filesystem::exists(argument_)) {
            std::ofstream(argument_).put('x');
            std::raise(SIGKILL);
        }
        const int from = argument_.empty() ? 1 : std::atoi(argument_.c_str());
        if (searches_ >= from && misbehave()) return;
        const int centipawns = static_cast<int>(position_.key() % 401) - 200;
        std::cout << "info depth 1 score cp 9999 upperbound nodes 10\n"
                  << "info depth 2 seldepth 3 multipv 1 score cp " << centipawns
                  << " nodes 120 nps 1000 time 1 pv " << first_move() << "\n"
                  << "info depth 3 score cp -9999 lowerbound nodes 121\n"
                  << "bestmove " << first_move() << " ponder a7a6\n";
    }

    // True if the search has been answered, or never will be.
    bool misbehave() {
        if (mode_ == "crash") std::raise(SIGKILL);
        if (mode_ == "exit") std::exit(3);
        if (mode_ == "stall") hang();
        while (mode_ == "flood") std::cout << "info depth 1 currmove e2e4 currmovenumber 1\n";
        while (mode_ == "long-line") std::cout << "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
        if (mode_ == "illegal") return bool(std::cout << "info score cp 0\nbestmove a1a1\n");
        if (mode_ == "until-stop") return searching_ = true;
        if (mode_ == "no-move") return bool(std::cout << "bestmove\n");
        if (mode_ == "bounds-only") {
            std::cout << "info score cp 5 lowerbound\nbestmove " << first_move() << "\n";
            return true;
        }
        return false;
    }

    [[nodiscard]] std::string first_move() const {
        const auto moves = solis::chess::legal_moves(position_);
        return moves.empty() ? "(none)" : solis::chess::to_uci(position_, moves[0]);
    }

    std::string mode_;
    std::string argument_;
    Position position_ = Position::start();
    int searches_ = 0;
    bool searching_ = false;  // in the mode until-stop
};

}  // namespace

int main(int argc, char** argv) {
    return FakeEngine(argc > 1 ? argv[1] : "normal", argc > 2 ? argv[2] : "").run();
}
