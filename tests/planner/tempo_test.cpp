// Tests of planner/tempo.h.
#include "solis/planner/tempo.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/planner/fake_model.h"
#include "tests/planner/planning.h"

namespace solis::planner {
namespace {

// Likes whoever is to move, and nothing else.
struct EagerScore {
    float operator()(const chess::Position& position) const {
        return position.side_to_move() == chess::Color::White ? 0.25f : -0.25f;
    }
};

TEST(Tempo, IsWhatTheModelAddsForTheMover) {
    EXPECT_EQ(measured_tempo(FunctionModel(EagerScore{}, straight_readout(0))), 2500);
}

TEST(Tempo, IsNoneWhereTheCalibrationKnowsIt) {
    const model::Readout readout(
        straight_readout(0).axis(),
        *model::Calibration::from_knots({-0.5f, 0.25f, 0.9f}, {0.0f, 0.5f, 1.0f}),
        model::View::Mover);
    EXPECT_EQ(measured_tempo(FunctionModel(EagerScore{}, readout)), 0);
}

// The axis puts even positions near its middle, and the calibration knows where: little is left.
TEST(Tempo, OfTheDefaultModelIsSmall) {
    EXPECT_LT(std::abs(default_model()->calibration().draw_score()), 0.08);
    EXPECT_LT(std::abs(measured_tempo(*default_model())), 300);
}

}  // namespace
}  // namespace solis::planner
