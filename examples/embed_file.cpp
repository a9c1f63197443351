// Embeds the positions of a file, one FEN per line, and writes them as lines of numbers.
// Usage: embed_file FENS [MODEL]     "-" reads standard input
#include <cstdio>
#include <thread>
#include <vector>

#include <solis/solis.h>

namespace {

int complain(const solis::Error& error) {
    std::fprintf(stderr, "error: %s\n", error.message.c_str());
    if (!error.hint.empty()) std::fprintf(stderr, "hint:  %s\n", error.hint.c_str());
    return 1;
}

// The error names the line.
solis::Result<std::vector<solis::chess::Position>> read_positions(const char* path) {
    const auto source = solis::open_input(path);
    if (!source) return tl::unexpected(source.error());
    solis::LineReader lines(**source);
    std::vector<solis::chess::Position> positions;
    for (std::string_view line;;) {
        const auto more = lines.next(line);
        if (!more) return tl::unexpected(more.error());
        if (!*more) return positions;
        if (line.empty()) continue;
        const auto position = solis::chess::parse_fen(line);
        if (!position) {
            return solis::fail_in("line " + std::to_string(lines.line_number()), position.error());
        }
        positions.push_back(*position);
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: embed_file FENS [MODEL]\n");
        return 2;
    }
    const auto positions = read_positions(argv[1]);
    if (!positions) return complain(positions.error());
    const auto model = solis::model::open(argc > 2 ? argv[2] : "");
    if (!model) return complain(model.error());

    const std::size_t dims = (*model)->dims();
    const auto evaluator = (*model)->make_evaluator();
    evaluator->use_threads(std::thread::hardware_concurrency());
    std::vector<float> z(positions->size() * dims);
    evaluator->embed(*positions, z);
    for (std::size_t i = 0; i < z.size(); ++i) {
        std::printf("%.6g%c", static_cast<double>(z[i]), (i + 1) % dims == 0 ? '\n' : ' ');
    }
}
