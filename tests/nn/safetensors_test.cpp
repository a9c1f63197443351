// safetensors: round trips, converted types, and files that lie about themselves.
#include "solis/nn/io/safetensors.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "solis/base/rng.h"
#include "solis/nn/io/half.h"
#include "tests/base/temporary_folder.h"

namespace solis::nn {
namespace {

std::string file_with(std::string_view json, std::string_view data) {
    std::string bytes(8, '\0');
    const std::uint64_t length = json.size();
    std::memcpy(bytes.data(), &length, sizeof length);
    return bytes.append(json).append(data);
}

std::string error_of(std::string_view json, std::string_view data) {
    const auto file = parse_safetensors(file_with(json, data));
    return file ? "accepted" : file.error().message;
}

TensorFile example_tensors() {
    TensorFile file;
    file.tensors.emplace_back("b.weight", std::vector<std::size_t>{2, 3});
    file.tensors.emplace_back("a.empty", std::vector<std::size_t>{0, 7});
    file.tensors.emplace_back("scalar \"quoted\" ü", std::vector<std::size_t>{});
    for (std::size_t i = 0; i < 6; ++i) file.tensors[0].values[i] = static_cast<float>(i) - 2.5f;
    file.tensors[2].values[0] = -0.0f;
    file.metadata = {{"format", "pt"}, {"note", "two\nlines, \"quotes\" and \\"}};
    return file;
}

void expect_equal(const TensorFile& a, const TensorFile& b) {
    EXPECT_EQ(a.metadata, b.metadata);
    ASSERT_EQ(a.tensors.size(), b.tensors.size());
    for (std::size_t i = 0; i < a.tensors.size(); ++i) {
        EXPECT_EQ(a.tensors[i].name, b.tensors[i].name);
        EXPECT_EQ(a.tensors[i].shape, b.tensors[i].shape);
        EXPECT_EQ(a.tensors[i].values, b.tensors[i].values);
    }
}

TEST(Safetensors, WhatIsWrittenIsReadBack) {
    const auto again = parse_safetensors(to_safetensors(example_tensors()));
    ASSERT_TRUE(again) << again.error().message;
    // An empty tensor shares its place with its neighbour and may change order with it.
    ASSERT_EQ(again->tensors.size(), 3u);
    for (const Tensor& tensor : example_tensors().tensors) {
        const Tensor* found = again->find(tensor.name);
        ASSERT_NE(found, nullptr) << tensor.name;
        EXPECT_EQ(found->shape, tensor.shape);
        EXPECT_EQ(found->values, tensor.values);
    }
    EXPECT_EQ(again->metadata, example_tensors().metadata);
    EXPECT_EQ(again->find("b.weigh"), nullptr);
}

TEST(Safetensors, BytesAreDeterministicAndDataIsAligned) {
    const std::string bytes = to_safetensors(example_tensors());
    EXPECT_EQ(bytes, to_safetensors(example_tensors()));
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    EXPECT_EQ((8 + length) % 64, 0u);
    EXPECT_EQ(bytes.size(), 8 + length + 7 * sizeof(float));
}

TEST(Safetensors, HeaderIsWrittenAsOtherProgramsExpectIt) {
    TensorFile file;
    file.tensors.emplace_back("w", std::vector<std::size_t>{1, 2});
    file.metadata["k"] = "v";
    const std::string bytes = to_safetensors(file);
    const std::string_view expected =
        R"({"__metadata__":{"k":"v"},"w":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})";
    EXPECT_EQ(bytes.substr(8, expected.size()), expected);
    EXPECT_EQ(bytes.find_first_not_of(' ', 8 + expected.size()), bytes.size() - 8);
}

TEST(Safetensors, FilesSurviveTheDisk) {
    const TemporaryFolder folder;
    const auto path = folder / "file.safetensors";
    TensorFile file = example_tensors();
    file.tensors.erase(file.tensors.begin() + 1);
    ASSERT_TRUE(write_safetensors(path, file));
    const auto again = read_safetensors(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(again) << again.error().message;
    expect_equal(*again, file);
    const auto missing = read_safetensors(path);
    ASSERT_FALSE(missing);
    EXPECT_NE(missing.error().message.find(path.string()), std::string::npos);
}

TEST(Safetensors, DevicesAndShortFilesAreRefused) {
    EXPECT_EQ(read_safetensors("/dev/zero").error().message,
              "cannot read '/dev/zero': it is not a regular file");
    // A header that claims 64 MiB of data in a file without any: nothing is allocated for it.
    const std::string json =
        R"({"t":{"dtype":"F32","shape":[16777216],"data_offsets":[0,67108864]}})";
    std::string bytes(8, '\0');
    bytes[0] = static_cast<char>(json.size());
    const TemporaryFolder folder;
    const auto path = folder / "short.safetensors";
    std::ofstream(path, std::ios::binary) << bytes << json;
    const auto file = read_safetensors(path);
    ASSERT_FALSE(file);
    EXPECT_NE(file.error().message.find("the file has 0 bytes of data"), std::string::npos)
        << file.error().message;
}

TEST(Safetensors, InvalidTextInMetadataIsReplaced) {
    TensorFile file;
    file.metadata["latin"] = "caf\xe9";
    const auto again = parse_safetensors(to_safetensors(file));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->metadata.at("latin"), "caf\xEF\xBF\xBD");
}

TEST(Safetensors, HalfPrecisionValuesAreExact) {
    // 1, -2, largest, smallest subnormal, smallest normal, -0, infinity
    const std::uint16_t bits[] = {0x3C00, 0xC000, 0x7BFF, 0x0001, 0x0400, 0x8000, 0x7C00};
    const std::string_view data(reinterpret_cast<const char*>(bits), sizeof bits);
    const auto file = parse_safetensors(
        file_with(R"({"h":{"dtype":"F16","shape":[7],"data_offsets":[0,14]}})", data));
    ASSERT_TRUE(file) << file.error().message;
    const std::vector<float> expected{
        1, -2, 65504, std::ldexp(1.0f, -24), std::ldexp(1.0f, -14), -0.0f, INFINITY};
    EXPECT_EQ(file->tensors[0].values, expected);
    EXPECT_TRUE(std::signbit(file->tensors[0].values[5]));
}

TEST(Safetensors, EveryHalfIsItsOwnNearest) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
        const float value = float_of_half(static_cast<std::uint16_t>(bits));
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(float_of_half(half_of_float(value))));
            continue;
        }
        ASSERT_EQ(half_of_float(value), bits);
    }
}

// Between two neighbours the nearer one, in the middle the even one; so up to the last ones.
TEST(Safetensors, HalvesAreTheNearest) {
    for (std::uint16_t bits = 0; bits < 0x7BFF; ++bits) {
        const float low = float_of_half(bits);
        const float high = float_of_half(static_cast<std::uint16_t>(bits + 1));
        const float middle = low + (high - low) / 2;
        const std::uint16_t even = (bits % 2 == 0) ? bits : static_cast<std::uint16_t>(bits + 1);
        ASSERT_EQ(half_of_float(middle), even) << middle;
        ASSERT_EQ(half_of_float(std::nextafter(middle, low)), bits) << middle;
        ASSERT_EQ(half_of_float(std::nextafter(middle, high)), bits + 1) << middle;
    }
    EXPECT_TRUE(std::isinf(float_of_half(half_of_float(65520.0f))));
    EXPECT_TRUE(std::isinf(float_of_half(half_of_float(-1e30f))));
}

TEST(Safetensors, LargeTensorsOfHalvesTakeHalfTheSpace) {
    TensorFile file;
    for (const std::size_t count : {kLargeTensor - 1, kLargeTensor}) {
        file.tensors.emplace_back(fmt::format("t{}", count), std::vector<std::size_t>{count});
        Rng rng(Seed{count});
        for (float& value : file.tensors.back().values)
            value = static_cast<float>(rng.unit()) - 0.5f;
    }
    const std::size_t before = to_safetensors(file).size();
    for (Tensor& tensor : file.tensors) round_to_halves(tensor);
    const std::string bytes = to_safetensors(file);
    EXPECT_LE(bytes.size(), before - 2 * kLargeTensor + 64);
    const auto read = parse_safetensors(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->tensors[0].values, file.tensors[0].values);
    EXPECT_EQ(read->tensors[1].values, file.tensors[1].values);
    // One value out of range, and the tensor keeps its floats.
    file.tensors[1].values[7] = 1e6f;
    round_to_halves(file.tensors[1]);
    EXPECT_EQ(file.tensors[1].values[7], 1e6f);
    EXPECT_GE(to_safetensors(file).size(), before);
}

TEST(Safetensors, BrainFloatsAndDoublesBecomeFloats) {
    const std::uint16_t brain[] = {0x3F80, 0xC040, 0x7FC0, 0x0000};  // 1, -3, NaN, 0
    const double doubles[] = {0.1, 1e300};
    std::string data(reinterpret_cast<const char*>(brain), sizeof brain);
    data.append(reinterpret_cast<const char*>(doubles), sizeof doubles);
    const auto file =
        parse_safetensors(file_with(R"({"d":{"dtype":"F64","shape":[2],"data_offsets":[8,24]},
                      "b":{"dtype":"BF16","shape":[2,2],"data_offsets":[0,8]}})",
                                    data));
    ASSERT_TRUE(file) << file.error().message;
    ASSERT_EQ(file->tensors[0].name, "b");
    EXPECT_EQ(file->tensors[0].values[0], 1.0f);
    EXPECT_EQ(file->tensors[0].values[1], -3.0f);
    EXPECT_TRUE(std::isnan(file->tensors[0].values[2]));
    EXPECT_EQ(file->tensors[1].values[0], 0.1f);
    EXPECT_EQ(file->tensors[1].values[1], std::numeric_limits<float>::infinity());
}

TEST(Safetensors, OtherTypesAreRefusedByName) {
    const auto file = parse_safetensors(file_with(
        R"({"ids":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", std::string(8, '\0')));
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().message, "tensor 'ids' has type 'I64', expected F32, F16, BF16 or F64");
    EXPECT_EQ(file.error().hint, "convert it to float32 before saving");
}

TEST(Safetensors, LengthsThatDoNotFitAreRefused) {
    EXPECT_EQ(parse_safetensors("").error().message, "the file is empty");
    std::string bytes = file_with("{}", "");
    EXPECT_TRUE(parse_safetensors(bytes));
    bytes[0] = 3;
    EXPECT_EQ(parse_safetensors(bytes).error().message,
              "safetensors: header of 3 bytes, expected at most 2");
    std::memset(bytes.data(), 0xFF, 8);
    EXPECT_EQ(parse_safetensors(bytes).error().message,
              "safetensors: header of 18446744073709551615 bytes, expected at most 2");
}

TEST(Safetensors, EveryTruncationIsRefused) {
    const std::string bytes = to_safetensors(example_tensors());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(parse_safetensors(std::string_view(bytes).substr(0, size))) << size;
    }
    EXPECT_FALSE(parse_safetensors(bytes + '\0'));
}

TEST(Safetensors, OffsetsMustCoverTheDataOnce) {
    const std::string data(8, '\0');
    EXPECT_EQ(error_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", data),
              "tensors cover 4 bytes of data, found 8");
    EXPECT_EQ(error_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", data),
              "tensor 'a' starts at byte 4 of the data, expected 0: there is a gap before it");
    EXPECT_EQ(error_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},
                           "b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                       data),
              "tensor 'b' starts at byte 4 of the data, expected 8: it overlaps another");
    EXPECT_EQ(error_of(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}})", data),
              "tensor 'a' has data_offsets [0, 12], the file has 8 bytes of data");
    EXPECT_EQ(error_of(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[8,4]}})", data),
              "tensor 'a' has data_offsets [8, 4], the file has 8 bytes of data");
}

TEST(Safetensors, ShapesMustAgreeWithTheirData) {
    const std::string data(8, '\0');
    EXPECT_EQ(error_of(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", data),
              "tensor 'a' of shape [3] and type F32 needs 12 bytes, found 8");
    EXPECT_EQ(error_of(R"({"a":{"dtype":"F64","shape":[2],"data_offsets":[0,8]}})", data),
              "tensor 'a' of shape [2] and type F64 needs 16 bytes, found 8");
    EXPECT_EQ(
        error_of(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})",
                 data),
        "tensor 'a' of shape [4294967296, 4294967296] is larger than any file");
    // 2^62 floats are 2^64 bytes, which would wrap to 0.
    EXPECT_EQ(
        error_of(R"({"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,0]}})", ""),
        "tensor 'a' of shape [4611686018427387904] is larger than any file");
}

TEST(Safetensors, HeadersOfAnotherFormAreRefused) {
    const auto header_error = [](std::string_view json) {
        const std::string message = error_of(json, "");
        const std::string prefix = "safetensors header: ";
        return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
    };
    EXPECT_EQ(header_error(""), "not JSON at byte 1");
    EXPECT_EQ(header_error("{\"a\":}"), "not JSON at byte 6");
    EXPECT_EQ(header_error("[]"), "a list where the header object was expected");
    EXPECT_EQ(header_error("{\"a\":1}"), "'a' is a number, expected an object");
    EXPECT_EQ(header_error("{} x"), "not JSON at byte 4");
    EXPECT_EQ(header_error(R"({"a":{"dtype":"F32","shape":[0]}})"),
              "tensor 'a' has no 'data_offsets'");
    EXPECT_EQ(header_error(R"({"a":{"dtype":"F32","dtype":"F32"}})"),
              "tensor 'a' has 'dtype' twice");
    EXPECT_EQ(header_error(R"({"a":{"stride":[1]}})"), "tensor 'a' has unknown field 'stride'");
    EXPECT_EQ(header_error(R"({"a":{"shape":[-1]}})"),
              "tensor 'a': 'shape' contains a negative number, expected sizes");
    EXPECT_EQ(header_error(R"({"a":{"shape":[1.5]}})"),
              "tensor 'a': 'shape' contains a number that is not a 64-bit integer, expected sizes");
    EXPECT_EQ(header_error(R"({"a":{"shape":"x"}})"),
              "tensor 'a': 'shape' is a string, expected a list of sizes");
    EXPECT_EQ(header_error(R"({"a":{"shape":[1,1,1,1,1,1,1,1,1]}})"),
              "tensor 'a': 'shape' has more than 8 numbers");
    EXPECT_EQ(header_error(R"({"a":{"data_offsets":[0]}})"),
              "tensor 'a': 'data_offsets' has 1 numbers, expected 2");
    EXPECT_EQ(header_error(R"({"__metadata__":{"k":1}})"),
              "metadata 'k' is a number, expected a string");
    EXPECT_EQ(header_error(R"({"__metadata__":{"k":"1","k":"2"}})"), "metadata has 'k' twice");
    EXPECT_EQ(header_error(R"({"__metadata__":{},"__metadata__":{}})"),
              "'__metadata__' appears twice");
    EXPECT_EQ(header_error(R"({"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},
                               "a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}})"),
              "'a' appears twice");
    EXPECT_EQ(header_error("{\"" + std::string(2000, 'n') + "\":1}"),
              "a name has 2000 bytes, expected at most 1000: '" + std::string(100, 'n') + "...'");
}

TEST(Safetensors, DeepNestingIsRefusedWithoutRecursion) {
    EXPECT_EQ(error_of("{\"a\":" + std::string(10'000'000, '['), ""),
              "safetensors header: 'a' is a list, expected an object");
    std::string objects;
    for (int i = 0; i < 1'000'000; ++i) objects += "{\"a\":";
    EXPECT_EQ(error_of(objects, ""), "safetensors header: tensor 'a' has unknown field 'a'");
}

}  // namespace
}  // namespace solis::nn
