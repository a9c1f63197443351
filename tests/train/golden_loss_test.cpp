// Losses and gradients against PyTorch's (tests/golden/loss_golden.py).
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>

#include "solis/train/config_fields.h"
#include "solis/train/loss.h"

namespace solis::train {
namespace {

struct Golden {
    std::string name;
    TrainConfig config;
    std::size_t dims = 0;
    std::vector<float> labels, z;
    double loss = 0;
    std::vector<double> d_z;
};

bool read(std::istream& in, Golden& golden) {
    std::size_t rows = 0;
    TrainConfig& config = golden.config;
    std::string loss;
    if (!(in >> golden.name >> loss >> config.loss.temperature >> config.loss.margin >> rows >>
          golden.dims)) {
        return false;
    }
    const auto kind = choice_from_name<LossKind>(loss);
    if (!kind) return false;
    config.loss.kind = *kind;
    golden.labels.resize(rows);
    golden.z.resize(rows * golden.dims);
    golden.d_z.resize(rows * golden.dims);
    for (float& value : golden.labels) in >> value;
    for (float& value : golden.z) in >> value;
    in >> golden.loss;
    for (double& value : golden.d_z) in >> value;
    return static_cast<bool>(in);
}

TEST(GoldenLoss, LossesAndGradientsAreThoseOfPyTorch) {
    std::ifstream file(SOLIS_TEST_FILES "/loss_golden.txt");
    ThreadPool pool(2);
    std::size_t cases = 0;
    for (Golden golden; read(file, golden); ++cases) {
        std::vector<float> d_z(golden.z.size());
        const double loss = Loss(golden.config)(golden.z, golden.labels, golden.dims, pool, d_z);
        EXPECT_NEAR(loss, golden.loss, 1e-5 * std::abs(golden.loss)) << golden.name;
        double largest = 0;
        for (const double value : golden.d_z) largest = std::max(largest, std::abs(value));
        ASSERT_GT(largest, 0) << golden.name;
        for (std::size_t i = 0; i < d_z.size(); ++i) {
            EXPECT_NEAR(d_z[i], golden.d_z[i], 1e-5 * largest) << golden.name << " at " << i;
        }
    }
    EXPECT_EQ(cases, 16u);
    EXPECT_TRUE(file.eof());
}

}  // namespace
}  // namespace solis::train
