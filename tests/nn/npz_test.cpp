// .npy and .npz: round trips, files made by numpy, and damaged ones.
#include "solis/nn/io/npz.h"

#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "solis/base/byte_source.h"
#include "tests/base/temporary_folder.h"

namespace solis::nn {
namespace {

std::string test_file(const char* name) { return std::string(SOLIS_TEST_FILES) + "/" + name; }

std::vector<NamedArray> example_arrays() {
    return {{"z", {{2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6.5f}}},
            {"p", {{3}, std::vector<double>{0.1, 0.5, 1}}},
            {"ids", {{2}, std::vector<std::int64_t>{-1, 1LL << 40}}},
            {"small", {{}, std::vector<std::int32_t>{-7}}},
            {"fens", {{2, 1}, std::vector<std::string>{"8/8 w", "\u00e9\u265e\U0001f600"}}},
            {"none", {{0, 4}, std::vector<float>{}}}};
}

void expect_equal(const std::vector<NamedArray>& a, const std::vector<NamedArray>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].name, b[i].name);
        EXPECT_EQ(a[i].array, b[i].array) << a[i].name;
    }
}

std::string npy_with(std::string header) {
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(header.size() & 255);
    bytes += static_cast<char>(header.size() >> 8);
    return bytes + header;
}

std::string npy_error(const std::string& header, const std::string& data = {}) {
    const auto array = parse_npy(npy_with(header) + data);
    return array ? "accepted" : array.error().message;
}

TEST(Npy, RefusesTextThatIsNone) {
    const auto header = [](const char* descr) {
        return std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (1,), }";
    };
    EXPECT_EQ(npy_error(header("<U0")), "npy: type '<U0' is no text of a fixed length");
    EXPECT_EQ(npy_error(header("<Ux")), "npy: type '<Ux' is no text of a fixed length");
    EXPECT_EQ(npy_error(header("<U2"), std::string(4, 'a')),
              "npy: 1 strings of type <U2 do not fit 4 bytes of data");
    EXPECT_EQ(npy_error(header("<U1"), std::string("\x00\xd8\x00\x00", 4)),
              "npy: string 0 has U+D800, which is no character");
}

TEST(Npy, WhatIsWrittenIsReadBack) {
    for (const NamedArray& named : example_arrays()) {
        const std::string bytes = to_npy(named.array);
        const auto again = parse_npy(bytes);
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(*again, named.array) << named.name;
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            EXPECT_FALSE(parse_npy(std::string_view(bytes).substr(0, size))) << size;
        }
    }
}

TEST(Npy, HeaderIsWhatNumpyWrites) {
    const std::string bytes = to_npy({{3}, std::vector<float>{1, 2, 3}});
    const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
    EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\x01\x00\x76\x00", 10));
    EXPECT_EQ(bytes.substr(10, header.size()), header);
    EXPECT_EQ(bytes[127], '\n');
    EXPECT_EQ(bytes.size(), 128u + 12u);
}

TEST(Npy, HeadersMayBeInAnyOrderAndSpacing) {
    const auto array =
        parse_npy(npy_with("{\"shape\":( 1 ,2) ,'fortran_order':False,\"descr\":'<i4'}  \n") +
                  std::string("\x01\0\0\0\x02\0\0\0", 8));
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(*array, (NpyArray{{1, 2}, std::vector<std::int32_t>{1, 2}}));
}

TEST(Npy, OtherLayoutsAreRefusedWithAHint) {
    EXPECT_EQ(npy_error("{'descr': '<f4', 'fortran_order': True, 'shape': (0,), }"),
              "npy: the array is stored column by column, expected row by row");
    EXPECT_EQ(npy_error("{'descr': '>f4', 'fortran_order': False, 'shape': (0,), }"),
              "npy: type '>f4', expected <f4, <f8, <i4, <i8 or <U");
    EXPECT_EQ(npy_error("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", "abcd"),
              "npy: shape [2] of type <f4 does not fit 4 bytes of data");
    EXPECT_EQ(npy_error("{'descr': '<f4', 'fortran_order': False, "
                        "'shape': (4294967296, 4294967296), }"),
              "npy: shape [4294967296, 4294967296] of type <f4 does not fit 0 bytes of data");
    EXPECT_EQ(parse_npy("hello").error().message, "npy: the magic bytes '\\x93NUMPY' are missing");
    EXPECT_EQ(parse_npy(std::string_view("\x93NUMPY\x09\x00", 8)).error().message,
              "npy: format version 9, expected 1, 2 or 3");
}

TEST(Npy, HeadersThatAreNoDictionaryAreRefused) {
    for (const char* header :
         {"", "{", "}", "{}", "{'descr': '<f4', 'fortran_order': False}",
          "{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
          "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
          "{'descr': '<f4, 'fortran_order': False, 'shape': (1,)}"}) {
        EXPECT_EQ(npy_error(header),
                  "npy: the header is not a dictionary of descr, fortran_order and shape")
            << header;
    }
}

TEST(Npy, TensorsBecomeArraysAndBack) {
    Tensor tensor("t", {2, 2});
    tensor.values = {1, 2, 3, 4};
    const auto again = to_tensor("t", to_array(tensor));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->values, tensor.values);
    EXPECT_EQ(again->shape, tensor.shape);
    const auto halved = to_tensor("d", {{2}, std::vector<double>{0.5, 0.1}});
    ASSERT_TRUE(halved);
    EXPECT_EQ(halved->values, (std::vector<float>{0.5f, 0.1f}));
    EXPECT_EQ(to_tensor("i", {{1}, std::vector<std::int32_t>{1}}).error().message,
              "array 'i' holds no numbers with a point, expected float32");
}

TEST(Npz, WhatIsWrittenIsReadBack) {
    const auto bytes = to_npz(example_arrays());
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, *to_npz(example_arrays()));
    const auto again = parse_npz(*bytes);
    ASSERT_TRUE(again) << again.error().message;
    expect_equal(*again, example_arrays());
    const auto empty = parse_npz(*to_npz({}));
    ASSERT_TRUE(empty);
    EXPECT_TRUE(empty->empty());
}

TEST(Npz, FilesSurviveTheDisk) {
    const TemporaryFolder folder;
    const auto path = folder / "arrays";
    ASSERT_TRUE(write_npz(path, example_arrays()));
    const auto again = read_npz(path);
    ASSERT_TRUE(write_npy(path, example_arrays()[0].array));
    const auto array = read_npy(path);
    ASSERT_TRUE(again) << again.error().message;
    expect_equal(*again, example_arrays());
    ASSERT_TRUE(array) << array.error().message;
    EXPECT_EQ(*array, example_arrays()[0].array);
}

// Deflated, and with the ZIP64 fields in the local headers that numpy always writes.
TEST(Npz, CompressedFilesOfPythonAreRead) {
    const auto arrays = read_npz(test_file("python_deflated.npz"));
    ASSERT_TRUE(arrays) << arrays.error().message;
    ASSERT_EQ(arrays->size(), 2u);
    EXPECT_EQ((*arrays)[0].name, "ramp");
    const auto* ramp = std::get_if<std::vector<float>>(&(*arrays)[0].array.values);
    ASSERT_NE(ramp, nullptr);
    EXPECT_EQ((*arrays)[0].array.shape, (std::vector<std::size_t>{20, 10}));
    for (std::size_t i = 0; i < ramp->size(); ++i) EXPECT_EQ((*ramp)[i], static_cast<float>(i));
    EXPECT_EQ((*arrays)[1].name, "one");
    EXPECT_EQ((*arrays)[1].array, (NpyArray{{}, std::vector<std::int64_t>{1}}));
}

// A directory that claims a gigabyte for an entry of three kilobytes.
TEST(Npz, FilesThatUnpackToFarMoreAreRefused) {
    std::string bytes = *read_file(test_file("python_deflated.npz"));
    const std::size_t central = bytes.find("PK\x01\x02");
    ASSERT_NE(central, std::string::npos);
    const std::uint32_t claimed = 1u << 30;
    std::memcpy(bytes.data() + central + 24, &claimed, sizeof claimed);
    const auto arrays = parse_npz(bytes);
    ASSERT_FALSE(arrays);
    EXPECT_NE(arrays.error().message.find("unpacks to 1024 MiB, at most 256"), std::string::npos)
        << arrays.error().message;
}

TEST(Npz, EveryFlippedByteIsRefusedOrHarmless) {
    for (const bool deflated : {false, true}) {
        const std::string bytes =
            deflated ? *read_file(test_file("python_deflated.npz")) : *to_npz(example_arrays());
        const auto intact = parse_npz(bytes);
        ASSERT_TRUE(intact);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            std::string damaged = bytes;
            damaged[i] = static_cast<char>(damaged[i] ^ 0x55);
            const auto arrays = parse_npz(damaged);
            if (!arrays) continue;
            // Dates, versions and names are not protected; the values are.
            ASSERT_LE(arrays->size(), intact->size()) << i;
            for (std::size_t k = 0; k < arrays->size(); ++k) {
                EXPECT_EQ((*arrays)[k].array, (*intact)[k].array) << i;
            }
        }
    }
}

TEST(Npz, EveryTruncationIsRefused) {
    const std::string bytes = *to_npz(example_arrays());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(parse_npz(std::string_view(bytes).substr(0, size))) << size;
    }
}

TEST(Npz, ErrorsSayWhatIsWrong) {
    EXPECT_EQ(parse_npz("no zip").error().message, "npz: the end record of a zip file is missing");
    std::string bytes = *to_npz({{"a", {{1}, std::vector<float>{1}}}});
    std::string damaged = bytes;
    damaged[bytes.find("NUMPY") + 125] = 'x';  // the first value
    EXPECT_TRUE(parse_npz(damaged).error().message.starts_with("npz: entry 'a.npy' has checksum "));
    damaged = bytes;
    damaged[bytes.rfind("PK\x01\x02") + 10] = 12;  // method
    EXPECT_EQ(parse_npz(damaged).error().message,
              "npz: entry 'a.npy' uses compression method 12, expected 0 or 8");
    damaged = bytes;
    damaged[bytes.rfind("PK\x01\x02") + 8] = 1;  // flags
    EXPECT_EQ(parse_npz(damaged).error().message, "npz: entry 'a.npy' is encrypted");
    damaged = bytes;
    for (std::size_t i = 20; i < 24; ++i) damaged[bytes.rfind("PK\x01\x02") + i] = '\xFF';
    EXPECT_EQ(parse_npz(damaged).error().message,
              "npz: entry 'a.npy' is in ZIP64 format, which is not read");
}

}  // namespace
}  // namespace solis::nn
