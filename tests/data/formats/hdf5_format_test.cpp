// HDF5 files written here with the C library alone, as h5py would lay them out.
#include "solis/data/formats/hdf5_format.h"

#include <hdf5.h>

#include "solis/chess/fen.h"
#include "tests/base/temporary_folder.h"
#include "tests/data/formats/format_helpers.h"

namespace solis::data {
namespace {

// After 1.e4 in the reference's tokens, typed from its alphabet.
std::vector<std::int32_t> after_e4_tokens() {
    std::vector<std::int32_t> tokens{30, 20, 19, 30, 22, 21, 30, 19, 20};
    tokens.insert(tokens.end(), 8, 18);
    tokens.insert(tokens.end(), 32, 32);
    tokens[1 + 8 * 4 + 4] = 23;
    for (const int t : {23, 23, 23, 23, 32, 23, 23, 23}) tokens.push_back(t);
    for (const int t : {26, 25, 24, 27, 28, 24, 25, 26}) tokens.push_back(t);
    for (const int t : {28, 27, 21, 22, 32, 32, 0, 0, 0, 0, 0, 1}) tokens.push_back(t);
    return tokens;
}

void write_dataset(hid_t file, const char* name, hid_t type, const std::vector<hsize_t>& extent,
                   const void* values) {
    const hid_t space = H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ASSERT_GE(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(set);
    H5Sclose(space);
}

class Hdf5Format : public testing::Test {
  protected:
    std::string path() const { return (folder_ / "data.h5").string(); }
    hid_t create() const {
        return H5Fcreate(path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    }
    Imported read() const {
        auto rows = open_hdf5(path());
        EXPECT_TRUE(rows) << rows.error().message;
        return rows ? read_rows(std::move(*rows)) : Imported{};
    }
    std::string open_error() const {
        const auto rows = open_hdf5(path());
        return rows ? "opened" : rows.error().message.substr(path().size() + 2);
    }

    TemporaryFolder folder_;
};

TEST_F(Hdf5Format, TokensAndWhitesProbabilityAreRead) {
    std::vector<std::int32_t> tokens = after_e4_tokens();
    const std::vector<std::int32_t> copy = tokens;
    tokens.insert(tokens.end(), copy.begin(), copy.end());
    tokens.insert(tokens.end(), copy.begin(), copy.end());
    tokens[77 + 3] = -1;
    const std::vector<float> ps{0.25f, 0.5f, 1.0f};
    const hid_t file = create();
    write_dataset(file, "fens", H5T_NATIVE_INT32, {3, 77}, tokens.data());
    write_dataset(file, "ps", H5T_NATIVE_FLOAT, {3}, ps.data());
    H5Fclose(file);
    const Imported imported = read();
    ASSERT_EQ(imported.games.size(), 2u);
    EXPECT_EQ(chess::to_fen(imported.games[0].start), kAfterE4);
    EXPECT_NEAR(imported.games[0].line[0].score.win_probability(), 0.75, 1e-3)
        << "Black is to move";
    EXPECT_EQ(imported.games[1].line[0].score, Score::mated_in(Score::kUnknownDistance));
    ASSERT_EQ(imported.report.bad_rows, 1u);
    EXPECT_EQ(imported.report.first_errors[0],
              "test row 2: token 3 is 255, the 'reference' tokenizer has 0 to 32");
}

TEST_F(Hdf5Format, FixedAndVariableTextsAreRead) {
    const std::vector<double> ps{0.25, 7};
    for (const bool variable : {false, true}) {
        const hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, variable ? H5T_VARIABLE : 80);
        std::string fixed(160, '\0');
        fixed.replace(0, kAfterE4.size(), kAfterE4);
        fixed.replace(80, kAfterE4.size(), kAfterE4);
        const std::string text(kAfterE4);
        const std::vector<const char*> pointers{text.c_str(), text.c_str()};
        const hid_t file = create();
        write_dataset(file, "fens", type, {2},
                      variable ? static_cast<const void*>(pointers.data()) : fixed.data());
        write_dataset(file, "ps", H5T_NATIVE_DOUBLE, {2}, ps.data());
        H5Tclose(type);
        H5Fclose(file);
        const Imported imported = read();
        ASSERT_EQ(imported.games.size(), 1u) << variable;
        EXPECT_EQ(chess::to_fen(imported.games[0].start), kAfterE4);
        EXPECT_EQ(imported.report.bad_rows, 1u) << "p = 7";
    }
}

TEST_F(Hdf5Format, OtherShapesAreRefusedWithAReason) {
    const std::vector<std::int32_t> tokens(154, 1);
    const std::vector<float> ps(3, 0.5f);
    hid_t file = create();
    H5Fclose(file);
    EXPECT_EQ(open_error(), "no dataset 'fens'");
    file = create();
    write_dataset(file, "fens", H5T_NATIVE_INT32, {2, 77}, tokens.data());
    write_dataset(file, "ps", H5T_NATIVE_FLOAT, {3}, ps.data());
    H5Fclose(file);
    EXPECT_EQ(open_error(), "'fens' has 2 rows, 'ps' has 3");
    file = create();
    write_dataset(file, "fens", H5T_NATIVE_INT32, {2, 76}, tokens.data());
    write_dataset(file, "ps", H5T_NATIVE_FLOAT, {2}, ps.data());
    H5Fclose(file);
    EXPECT_EQ(open_error(), "dataset 'fens' is neither N x 77 whole numbers nor a list of texts");
    file = create();
    write_dataset(file, "fens", H5T_NATIVE_INT32, {2, 77}, tokens.data());
    write_dataset(file, "ps", H5T_NATIVE_INT32, {2}, tokens.data());
    H5Fclose(file);
    EXPECT_EQ(open_error(), "dataset 'ps' is not a list of floating-point numbers");
}

TEST_F(Hdf5Format, RowsThatWereNeverWrittenAreNotBelieved) {
    const hid_t file = create();
    const std::vector<hsize_t> extent{hsize_t{1} << 50, 77}, chunk{1024, 77};
    const hid_t space = H5Screate_simple(2, extent.data(), nullptr);
    const hid_t options = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(options, 2, chunk.data());
    const hid_t set =
        H5Dcreate2(file, "fens", H5T_NATIVE_INT32, space, H5P_DEFAULT, options, H5P_DEFAULT);
    ASSERT_GE(set, 0);
    H5Dclose(set);
    H5Pclose(options);
    H5Sclose(space);
    H5Fclose(file);
    EXPECT_EQ(open_error(),
              "dataset 'fens' claims 1125899906842624 rows, more than its data can hold");
}

TEST_F(Hdf5Format, DataInOtherFilesAreRefused) {
    const std::vector<float> ps{0.25f};
    const std::string other = (folder_ / "other.h5").string();
    hid_t file = H5Fcreate(other.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    write_dataset(file, "fens", H5T_NATIVE_INT32, {1, 77}, after_e4_tokens().data());
    H5Fclose(file);

    file = create();
    write_dataset(file, "ps", H5T_NATIVE_FLOAT, {1}, ps.data());
    ASSERT_GE(H5Lcreate_external(other.c_str(), "fens", file, "fens", H5P_DEFAULT, H5P_DEFAULT), 0);
    H5Fclose(file);
    EXPECT_EQ(open_error(), "dataset 'fens' is a link to another place");

    file = create();
    write_dataset(file, "ps", H5T_NATIVE_FLOAT, {1}, ps.data());
    const hsize_t extent[2] = {1, 77};
    const hid_t space = H5Screate_simple(2, extent, nullptr);
    const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    ASSERT_GE(H5Pset_external(plist, "/etc/passwd", 0, 77 * 4), 0);
    H5Dclose(H5Dcreate2(file, "fens", H5T_NATIVE_INT32, space, H5P_DEFAULT, plist, H5P_DEFAULT));
    H5Pclose(plist);
    H5Sclose(space);
    H5Fclose(file);
    EXPECT_EQ(open_error(), "the data of dataset 'fens' lie in other files");
}

TEST_F(Hdf5Format, AFileThatIsNoHdf5IsAnError) {
    const auto rows = open_hdf5("/dev/null");
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().message, "cannot open '/dev/null' as HDF5");
}

}  // namespace
}  // namespace solis::data
