// solis model as a user runs it.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "solis/base/byte_source.h"
#include "solis/model/model_file.h"
#include "solis/nn/io/npz.h"
#include "tests/base/temporary_folder.h"
#include "tests/cli/run_solis.h"

namespace solis::cli {
namespace {

class ModelCommand : public testing::Test {
  protected:
    ModelCommand() {
        nn::SwiftShape shape;
        shape.accumulators = 64;
        shape.dims = 8;
        model::ModelFile model(model::SwiftEncoder(data::SwiftFeatureSet::Pieces, shape));
        Rng rng(Seed{1});
        std::get<model::SwiftEncoder>(model.encoder).weights.randomize(rng);
        model.axis = *model::axis_from_means({0.5f, 0, 0, 0, 0, 0, 0, 0.5f},
                                             {-0.5f, 0, 0, 0, 0, 0, 0, 0.5f});
        model.calibration = *model::Calibration::from_knots({-0.5f, 0, 0.5f}, {0.0f, 0.5f, 1.0f});
        model.provenance.metrics = R"({"spearman":0.95})";
        model.provenance.training_config = "epochs = 3\n\x1b[31m";
        EXPECT_TRUE(model::save_model(path("full"), model));
        model.axis.reset();
        model.calibration.reset();
        EXPECT_TRUE(model::save_model(path("bare"), model));
    }

    [[nodiscard]] std::string path(const std::string& name) const {
        return (folder_ / name).string();
    }
    // As another program would write the weights.
    static void write_without_metadata(const std::string& model, const std::string& npz) {
        std::vector<nn::NamedArray> arrays;
        nn::TensorFile file = model::to_tensors(*model::load_model(model));
        for (nn::Tensor& tensor : file.tensors) {
            std::string name = tensor.name;
            arrays.push_back({std::move(name), nn::to_array(std::move(tensor))});
        }
        ASSERT_TRUE(nn::write_npz(npz, arrays));
    }

    TemporaryFolder folder_;
};

TEST_F(ModelCommand, MeasureComparesScoresWithLabelsOfAnyFormat) {
    // One move line with all of its siblings, and positions on their own.
    std::ofstream(path("held-out.txt"))
        << "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 120 (e1d1 -90) (e1f2 -130) (e2e3 -100) e2e4 -110\n";
    std::ofstream(path("held-out.tsv")) << "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\t150\n"
                                        << "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1\t-150\n"
                                        << "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1\t900\n";
    const Finished trees = run_solis("model measure " + path("full") + " --format trees --data " +
                                     path("held-out.txt"));
    EXPECT_EQ(trees.exit_code, 0) << trees.errors;
    EXPECT_NE(trees.output.find("siblings in order"), std::string::npos) << trees.output;
    EXPECT_NE(trees.output.find("of 6 pairs"), std::string::npos) << trees.output;
    const Finished tsv = run_solis("model measure --json --data " + path("held-out.tsv"));
    EXPECT_EQ(tsv.exit_code, 0) << tsv.errors;
    // A queen against a bare king belongs to the embedded model's encoder for endings.
    EXPECT_NE(tsv.output.find(R"("positions":2,"balanced":2,"endings":1)"), std::string::npos)
        << tsv.output;
    // The embedded model knows that a pawn more is better than a pawn less.
    EXPECT_NE(tsv.output.find(R"("within_200":1.0)"), std::string::npos) << tsv.output;
}

TEST_F(ModelCommand, MeasureRefusesWhatItCannotMeasure) {
    const Finished bare = run_solis("model measure " + path("bare") + " --data x.tsv");
    EXPECT_EQ(bare.exit_code, 1);
    EXPECT_NE(bare.errors.find("axis"), std::string::npos) << bare.errors;
    EXPECT_EQ(run_solis("model measure " + path("full")).exit_code, 2);
    const Finished missing =
        run_solis("model measure " + path("full") + " --data " + path("nowhere.tsv"));
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_NE(missing.errors.find("nowhere.tsv"), std::string::npos) << missing.errors;
    std::ofstream(path("empty.tsv")) << "\n";
    const Finished empty =
        run_solis("model measure " + path("full") + " --data " + path("empty.tsv"));
    EXPECT_EQ(empty.exit_code, 1);
    std::ofstream(path("some.tsv")) << "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\t150\n";
    const Finished split =
        run_solis("model measure " + path("full") + " --split train --data " + path("some.tsv"));
    EXPECT_EQ(split.exit_code, 1);
    EXPECT_NE(split.errors.find("--split is for stores"), std::string::npos) << split.errors;
}

TEST_F(ModelCommand, InfoShowsWhatTheFileHolds) {
    const Finished run = run_solis("model info " + path("full"));
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    const std::string expected_end = R"(encoder      swift, 50248 parameters
tensor       input.weight       [768, 64]
tensor       input.bias         [64]
tensor       output.weight      [1, 128, 8]
tensor       output.bias        [1, 8]
tensor       axis.mu_white      [8]
tensor       axis.mu_black      [8]
tensor       calibration.score  [3]
tensor       calibration.p      [3]
axis         8 dimensions, means 1.0000 apart, White wins at +0.5000, Black wins at -0.5000
calibration  3 knots, p 0.000 to 1.000, draw at +0.0000
             p = 0.1  at score -0.4000
             p = 0.25 at score -0.2500
             p = 0.5  at score +0.0000
             p = 0.75 at score +0.2500
             p = 0.9  at score +0.4000
             symmetric, which leaves out what the move is worth; refit it: solis axis --keep-axis
metadata     solis.encoder: swift
metadata     solis.format: 1
metadata     solis.metrics: {"spearman":0.95}
metadata     solis.swift.accumulators: 64
metadata     solis.swift.activation: squared
metadata     solis.swift.buckets: 1
metadata     solis.swift.dims: 8
metadata     solis.swift.features: pieces
config       epochs = 3
config       "\u001b[31m"
)";
    EXPECT_TRUE(run.output.starts_with("file         " + path("full") + " ("));
    EXPECT_EQ(run.output.substr(run.output.find('\n') + 1), expected_end);
}

TEST_F(ModelCommand, InfoSaysWhatIsMissing) {
    const Finished run = run_solis("model info " + path("bare"));
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_NE(run.output.find("axis         none (add it: solis axis)\n"), std::string::npos);
    EXPECT_NE(run.output.find("calibration  none (add it: solis axis)\n"), std::string::npos);
}

TEST_F(ModelCommand, InfoAsJsonIsOneLine) {
    const Finished run = run_solis("model info --json " + path("full"));
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(run.output.find('\n'), run.output.size() - 1);
    for (const char* part :
         {R"("encoder":"swift")", R"("parameters":50248)", R"("score_white":0.5)",
          R"("draw_score":0.0)", R"("solis.metrics":"{\"spearman\":0.95}")"}) {
        EXPECT_NE(run.output.find(part), std::string::npos) << part << "\n" << run.output;
    }
    EXPECT_NE(run_solis("model info --json " + path("bare")).output.find(R"("axis":null)"),
              std::string::npos);
}

TEST_F(ModelCommand, InfoWithoutAFileIsOfTheEmbeddedModel) {
    const Finished run = run_solis("model info");
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_TRUE(run.output.starts_with("file         the embedded model (")) << run.output;
    EXPECT_NE(run.output.find("\nconfig       keep_branches = 1.0\n"), std::string::npos)
        << run.output;
}

TEST_F(ModelCommand, ExportedModelsImportToTheSameBytesWithoutFlags) {
    ASSERT_EQ(run_solis("model import " + path("full") + " --out " + path("named")).exit_code, 0);
    for (const std::string& model :
         {path("named"), std::string(SOLIS_TEST_FILES "/../../models/default.safetensors")}) {
        ASSERT_EQ(run_solis("model export " + model + " --force --out " + path("w.npz")).exit_code,
                  0);
        const Finished run =
            run_solis("model import " + path("w.npz") + " --force --out " + path("again"));
        ASSERT_EQ(run.exit_code, 0) << run.errors;
        EXPECT_TRUE(*read_file(path("again")) == *read_file(model)) << model;
    }
}

TEST_F(ModelCommand, ExportedWeightsImportToTheSameModel) {
    ASSERT_EQ(run_solis("model export " + path("full") + " --out " + path("w.npz")).exit_code, 0);
    const Finished run = run_solis("model import " + path("w.npz") + " --out " + path("again"));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(run.output, "");
    EXPECT_EQ(run.errors, "wrote " + path("again") + " (8 tensors)\n");
    const auto before = model::load_model(path("full")), after = model::load_model(path("again"));
    ASSERT_TRUE(before && after);
    EXPECT_EQ(before->swift()->weights.input_weight.values,
              after->swift()->weights.input_weight.values);
    EXPECT_EQ(before->axis, after->axis);
    EXPECT_EQ(before->provenance.metrics, after->provenance.metrics);
    EXPECT_EQ(before->provenance.training_config, after->provenance.training_config);
    EXPECT_EQ(before->calibration, after->calibration);
    EXPECT_NE(after->provenance.command.find("solis model import"), std::string::npos);
}

TEST_F(ModelCommand, ImportTakesSafetensors) {
    const Finished run =
        run_solis("model import --json " + path("full") + " --out " + path("again"));
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(run.output, "{\"file\":\"" + path("again") + "\",\"tensors\":8}\n");
}

TEST_F(ModelCommand, FailuresNameTheFileAndTheWayOut) {
    write_without_metadata(path("bare"), path("w.npz"));
    Finished run = run_solis("model import " + path("w.npz") + " --out " + path("x"));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.errors, "error: " + path("w.npz") +
                              ": the file does not say which inputs the weights are for\n"
                              "hint:  name the feature set: --features "
                              "pieces|threats|relations|contacts|danger\n");
    run = run_solis("model import " + path("w.npz") + " --features threats --out " + path("x"));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.errors, "error: " + path("w.npz") +
                              ": tensor 'input.weight' has shape [768, 64], expected [2304, 64]\n"
                              "hint:  the weights belong to another architecture or feature set\n");
    EXPECT_FALSE(std::filesystem::exists(path("x")));
    run = run_solis("model info " + path("w.npz"));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_TRUE(run.errors.starts_with("error: " + path("w.npz") + ": safetensors: header of "))
        << run.errors;
    EXPECT_EQ(run_solis("model info /nonexistent").exit_code, 1);
    EXPECT_EQ(run_solis("model").exit_code, 2);
    EXPECT_EQ(run_solis("model export " + path("full")).exit_code, 2);
}

TEST_F(ModelCommand, AttachedEndingsAreShownExportedAndImported) {
    Finished run = run_solis("model attach " + path("full") + " --endings " + path("full") +
                             " --out " + path("both"));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(run.errors, "wrote " + path("both") + " (16 tensors)\n");
    run = run_solis("model info " + path("both"));
    EXPECT_NE(run.output.find("for endings of one or two pieces against a bare king\n"
                              "encoder      swift, 50248 parameters\n"),
              std::string::npos)
        << run.output;
    EXPECT_NE(run_solis("model info --json " + path("both")).output.find(R"("endings":{)"),
              std::string::npos);
    ASSERT_EQ(run_solis("model export " + path("both") + " --out " + path("w.npz")).exit_code, 0);
    run = run_solis("model import " + path("w.npz") + " --out " + path("again"));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    const auto again = model::load_model(path("again"));
    ASSERT_TRUE(again && again->endings);
    EXPECT_EQ(again->endings->swift()->weights.input_weight.values,
              again->swift()->weights.input_weight.values);

    // A model hands on the endings that it carries.
    run = run_solis("model attach " + path("full") + " --endings " + path("both") + " --out " +
                    path("next"));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(*read_file(path("next")), *read_file(path("both")));

    run = run_solis("model attach " + path("full") + " --endings " + path("bare") + " --out " +
                    path("x"));
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.errors, "error: " + path("bare") +
                              ": the model has no advantage axis\n"
                              "hint:  add it: solis axis --model FILE --data LABELS\n");
    EXPECT_FALSE(std::filesystem::exists(path("x")));
}

TEST_F(ModelCommand, PackedModelsAreHalfAsLargeAndNearlyTheSame) {
    const auto model = model::load_model(path("full"));
    ASSERT_TRUE(model);
    Finished run = run_solis("model pack " + path("full") + " --out " + path("packed"));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_LT(std::filesystem::file_size(path("packed")),
              std::filesystem::file_size(path("full")) * 2 / 3);
    const auto packed = model::load_model(path("packed"));
    ASSERT_TRUE(packed);
    const auto& before = model->swift()->weights.input_weight.values;
    const auto& after = packed->swift()->weights.input_weight.values;
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        ASSERT_NEAR(before[i], after[i], std::abs(before[i]) / 2048 + 1e-7f);
    }
    EXPECT_TRUE(std::ranges::equal(packed->calibration->scores(), model->calibration->scores()));
    run = run_solis("model pack " + path("packed") + " --out " + path("again"));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(*read_file(path("again")), *read_file(path("packed")));
}

TEST_F(ModelCommand, AverageIsTheMeanWithoutCalibration) {
    auto other = model::load_model(path("full"));
    ASSERT_TRUE(other);
    auto& weights = std::get<model::SwiftEncoder>(other->encoder).weights;
    const float before = weights.input_weight.values[5];
    weights.input_weight.values[5] = before + 1;
    ASSERT_TRUE(model::save_model(path("other"), *other));
    Finished run =
        run_solis("model average " + path("full") + " " + path("other") + " --out " + path("mean"));
    ASSERT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_TRUE(run.errors.starts_with("wrote " + path("mean") + ", the mean of 2 models\n"))
        << run.errors;
    const auto mean = model::load_model(path("mean"));
    ASSERT_TRUE(mean);
    EXPECT_FLOAT_EQ(mean->swift()->weights.input_weight.values[5], before + 0.5f);
    EXPECT_TRUE(mean->axis);
    EXPECT_FALSE(mean->calibration);
    EXPECT_EQ(mean->provenance.command,
              "solis model average " + path("full") + " " + path("other"));

    EXPECT_EQ(run_solis("model average " + path("full") + " --out " + path("x")).errors,
              "error: one model has no average\nhint:  name two or more\n");
    EXPECT_EQ(
        run_solis("model average " + path("full") + " /nonexistent --out " + path("x")).exit_code,
        1);
    EXPECT_FALSE(std::filesystem::exists(path("x")));
}

}  // namespace
}  // namespace solis::cli
