// An encoder process that behaves or misbehaves as its first argument says. It embeds by material:
// (balance, 1, hash of the board) in `dims` values.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t kDims = 8;

void hang() {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

std::vector<float> embed(const std::string& fen) {
    double balance = 0;
    std::uint32_t hash = 7;
    for (const char c : fen.substr(0, fen.find(' '))) {
        const char* const kinds = "pnbrq";
        const double values[] = {1, 3, 3, 5, 9};
        const char lower = static_cast<char>(c | 32);
        if (const char* at = std::strchr(kinds, lower); at != nullptr && c > '9') {
            balance += (c == lower ? -1 : 1) * values[at - kinds];
        }
        hash = hash * 31 + static_cast<unsigned char>(c);
    }
    std::vector<float> z(kDims, 0.0f);
    z[0] = static_cast<float>(std::tanh(balance / 5));
    z[1] = 1.0f;
    z[2] = static_cast<float>(hash % 1000) / 10000.0f;
    return z;
}

void send(const std::string& mode, std::size_t rows, std::vector<float> z) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    if (mode == "nan") z[3] = nan;
    if (mode == "infinite") z[3] = HUGE_VALF;
    if (mode == "zero") std::fill(z.begin(), z.begin() + kDims, 0.0f);
    if (mode == "few-rows") --rows;
    // Another direction every time.
    static std::size_t calls = 0;
    if (mode == "noise") z[++calls % kDims] = 50.0f;
    if (mode == "error") {
        std::cout << "error the network is out of memory\n" << std::flush;
        return;
    }
    if (mode == "chatty") std::cout << "embedding " << rows << " positions\n";
    if (mode == "no-line-end") {
        const std::string block(1 << 20, 'x');
        for (int i = 0; i < 3; ++i) std::cout << block;
        std::cout << std::flush;
        hang();
    }
    std::cout << "vectors " << rows << ' ' << (mode == "wrong-dims" ? kDims + 1 : kDims) << '\n';
    const std::size_t bytes = z.size() * sizeof(float);
    std::cout.write(reinterpret_cast<const char*>(z.data()),
                    static_cast<std::streamsize>(mode == "short" ? bytes - 5 : bytes));
    if (mode == "long") std::cout.write("surplus", 7);
    std::cout << std::flush;
}

// "later-X" is "X" after the rehearsal, which takes four requests.
std::string mode_now(const std::string& mode, int request) {
    if (mode.rfind("later-", 0) != 0) return mode;
    return request > 4 ? mode.substr(6) : "good";
}

void serve(const std::string& mode) {
    std::string line;
    for (int request = 1; std::getline(std::cin, line); ++request) {
        const std::string now = mode_now(mode, request);
        std::size_t rows = std::strtoul(line.c_str() + 6, nullptr, 10);
        std::vector<float> z;
        for (std::size_t i = 0; i < rows && std::getline(std::cin, line); ++i) {
            const std::vector<float> row = embed(line);
            z.insert(z.end(), row.begin(), row.end());
        }
        if (now == "crash") std::abort();
        if (now == "exit") std::exit(3);
        if (now == "hang") hang();
        if (now == "short-exit") {
            send("short", rows, std::move(z));
            std::exit(0);
        }
        send(now, rows, std::move(z));
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "good";
    if (mode == "silent") hang();
    if (mode == "exit-at-once") return 5;
    if (mode == "garbage") {
        std::cout << "Loading the network ...\n" << std::flush;
    } else if (mode == "no-dims") {
        std::cout << "solis-encoder 1 name=fake\n" << std::flush;
    } else if (mode == "many-dims") {
        std::cout << "solis-encoder 1 dims=99999999999999999999\n" << std::flush;
    } else if (mode == "version") {
        std::cout << "solis-encoder 9 dims=8\n" << std::flush;
    } else {
        std::cout << "solis-encoder 1 dims=" << kDims << " name=fake counters=no batch=16\n"
                  << std::flush;
    }
    serve(mode);
    // A process that does not end when its input does.
    if (mode == "stubborn") hang();
}
