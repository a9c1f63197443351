// An encoder of one's own behind the seam: every plan, verdict and map works with it. This one
// knows material and nothing else: the angle of its two-dimensional embedding is the material
// balance. Usage: own_encoder [FEN]
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <memory>

#include <solis/solis.h>

namespace {

namespace chess = solis::chess;
namespace model = solis::model;

// Pawns that White is ahead.
int material(const chess::Position& position) {
    using enum chess::PieceType;
    constexpr std::array kWorth{std::pair{Pawn, 1}, std::pair{Knight, 3}, std::pair{Bishop, 3},
                                std::pair{Rook, 5}, std::pair{Queen, 9}};
    int sum = 0;
    for (const auto& [type, worth] : kWorth) {
        sum += worth * (std::popcount(position.pieces(chess::Color::White, type)) -
                        std::popcount(position.pieces(chess::Color::Black, type)));
    }
    return sum;
}

class MaterialEncoder final : public model::CustomEncoder {
  public:
    std::size_t dims() const override { return 2; }
    // Counters do not matter, and a few thousand positions take a few milliseconds.
    model::EncoderTraits traits() const override { return {false, 4096}; }
    // z: positions x 2, White's view.
    solis::Result<void> embed(std::span<const chess::Position> positions,
                              std::span<float> z) override {
        for (std::size_t i = 0; i < positions.size(); ++i) {
            z[2 * i] = static_cast<float>(std::tanh(material(positions[i]) / 8.0));
            z[2 * i + 1] = std::sqrt(1 - z[2 * i] * z[2 * i]);
        }
        return {};
    }
};

// The axis goes from "Black wins" to "White wins"; the calibration says what scores mean. For a
// real encoder both are fitted on labelled positions.
solis::Result<std::shared_ptr<const model::LoadedModel>> make_material_model() {
    auto axis = model::axis_from_means({0.5f, 0.5f}, {-0.5f, 0.5f});
    if (!axis) return tl::unexpected(axis.error());
    auto calibration =
        model::Calibration::from_knots({-1, -0.35f, 0, 0.35f, 1}, {0.01f, 0.2f, 0.5f, 0.8f, 0.99f});
    if (!calibration) return tl::unexpected(calibration.error());
    return model::make_model(std::make_shared<MaterialEncoder>(), std::move(*axis),
                             std::move(*calibration));
}

}  // namespace

int main(int argc, char** argv) {
    const auto position = chess::parse_fen(
        argc > 1 ? argv[1] : "r1bqkbnr/ppp2ppp/2np4/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4");
    const auto material_model = make_material_model();
    if (!position || !material_model) {
        const solis::Error& error = position ? material_model.error() : position.error();
        std::fprintf(stderr, "error: %s\n", error.message.c_str());
        return 1;
    }
    solis::planner::Planner planner(*material_model);
    solis::planner::Limits limits;
    limits.nodes = 20'000;
    const auto plan = planner.plan(chess::Game(*position), limits);
    if (plan.lines.empty()) {
        std::printf("no legal move\n");
        return 0;
    }
    std::printf("best %s, depth %d\n",
                solis::analysis::san_line(*position, plan.lines[0].moves).c_str(), plan.depth);
}
