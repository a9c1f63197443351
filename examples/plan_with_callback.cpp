// Plans a move and tells of every depth as it is finished.
// Usage: plan_with_callback [FEN [NODES]]
#include <cstdio>
#include <cstdlib>

#include <solis/solis.h>

namespace {

class Printer final : public solis::planner::Observer {
  public:
    Printer(const solis::chess::Position& root, const solis::planner::ValueScale& scale)
        : root_(root), scale_(scale) {}

    void on_info(const solis::planner::Info& info) override {
        std::printf("depth %2d  %5.1f %%  %8llu nodes  %s\n", info.line.depth,
                    100 * scale_.win_probability(info.line.value, root_.side_to_move()),
                    static_cast<unsigned long long>(info.effort.nodes),
                    solis::analysis::san_line(root_, info.line.moves).c_str());
    }

  private:
    solis::chess::Position root_;
    solis::planner::ValueScale scale_;
};

}  // namespace

int main(int argc, char** argv) {
    const auto position = solis::chess::parse_fen(
        argc > 1 ? argv[1] : "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
    const auto model = solis::model::open("");
    if (!position || !model) {
        const solis::Error& error = position ? model.error() : position.error();
        std::fprintf(stderr, "error: %s\n", error.message.c_str());
        return 1;
    }

    solis::planner::Planner planner(*model);
    solis::planner::Limits limits;
    limits.nodes = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 20'000;
    Printer printer(*position, planner.scale());
    solis::planner::Signals signals;  // another thread may call signals.stop()
    const solis::planner::Plan plan =
        planner.plan(solis::chess::Game(*position), limits, printer, signals);
    if (plan.lines.empty()) {
        std::printf("no legal move\n");
        return 0;
    }
    std::printf("best %s\n", to_san(*position, plan.best()).c_str());
}
