// Reading and writing of net files. Everything is little-endian.
#include "solis/nn/nnue/weights.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "solis/base/bytes.h"

namespace solis::nn {
namespace {

constexpr std::uint32_t kNnueVersion = 0x7AF32F20;
constexpr std::uint32_t kNnueArchitecture = 0x1C102EF2;
constexpr std::uint32_t kNnueInputHash = 0x7F2344B8;
// Of each stack; it follows from the hashes above (architecture = inputs xor stack).
constexpr std::uint32_t kNnueStackHash = kNnueArchitecture ^ kNnueInputHash;
constexpr std::size_t kNnueHeader = 12;
constexpr std::size_t kMaxNnueDescription = 4096;
constexpr const char* kNnueHint =
    "only the net of Stockfish 15.1 is read: `export_net FILE` of that engine writes it";

struct KnownArchitecture {
    std::uint32_t hash;
    const char* name;
};
constexpr std::array kOtherArchitectures{
    KnownArchitecture{0x3E5AA6EE, "HalfKP 256x2-32-32-1, Stockfish 12 and 13"},
};

std::string architecture_name(std::uint32_t hash) {
    for (const KnownArchitecture& known : kOtherArchitectures) {
        if (known.hash == hash) return fmt::format("{:08X} ({})", hash, known.name);
    }
    return fmt::format("{:08X}", hash);
}

std::string printable(ByteView bytes) {
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text += byte >= 0x20 && byte < 0x7F ? static_cast<char>(byte) : '?';
    }
    return text;
}

constexpr std::size_t kStackBytes = 4 + 4 * kNnueHidden + kNnueHidden * kNnueAccumulators +
                                    4 * kNnueTail + kNnueTail * 32 + 4 + kNnueTail;

std::size_t bytes_after_header(std::size_t inputs) {
    const std::size_t row = 2 * kNnueAccumulators + 4 * kNnueStacks;
    return 4 + 2 * kNnueAccumulators + inputs * row + kNnueStacks * kStackBytes;
}

// The file's numbers are copied as they are: all machines that Highway has kernels for store the
// lowest byte first.
static_assert(std::endian::native == std::endian::little);

// Fills an array or vector of numbers.
template <class Numbers>
void take_numbers(ByteReader& reader, Numbers& to) {
    const std::size_t size = to.size() * sizeof(to[0]);
    const ByteView bytes = reader.bytes(size);
    if (bytes.size() == size) std::memcpy(to.data(), bytes.data(), size);
}

template <class Numbers>
void put_numbers(std::string& out, const Numbers& from) {
    out.append(reinterpret_cast<const char*>(from.data()), from.size() * sizeof(from[0]));
}
void put_number(std::string& out, std::uint32_t number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

Result<std::string> read_header(ByteReader& reader, std::size_t inputs) {
    const auto version = reader.number<std::uint32_t>();
    const auto architecture = reader.number<std::uint32_t>();
    const auto length = reader.number<std::uint32_t>();
    if (!reader.ok()) return fail("the net file ends within its header", kNnueHint);
    if (version != kNnueVersion) {
        return fail(fmt::format("not a net file: it begins with {:08X}, nets of this kind with "
                                "{:08X}",
                                version, kNnueVersion),
                    kNnueHint);
    }
    if (length > kMaxNnueDescription || length > reader.remaining()) {
        return fail(fmt::format("the net's description has {} bytes, at most {} are read", length,
                                std::min(kMaxNnueDescription, reader.remaining())),
                    kNnueHint);
    }
    std::string description = printable(reader.bytes(length));
    if (architecture != kNnueArchitecture) {
        return fail(fmt::format("the net has architecture {}, described as '{}'; expected {:08X} "
                                "(HalfKAv2_hm 1024x2-16-32-1)",
                                architecture_name(architecture), description, kNnueArchitecture),
                    kNnueHint);
    }
    if (reader.remaining() != bytes_after_header(inputs)) {
        return fail(fmt::format("the net file has {} bytes after its description, expected {}",
                                reader.remaining(), bytes_after_header(inputs)),
                    "it was cut off or damaged; write it again with `export_net FILE`");
    }
    return description;
}

Result<void> check_hash(ByteReader& reader, const char* part, std::uint32_t expected) {
    const auto found = reader.number<std::uint32_t>();
    if (found == expected) return {};
    return fail(
        fmt::format("the net's {} have hash {:08X}, expected {:08X}", part, found, expected),
        kNnueHint);
}

void read_stack(ByteReader& reader, NnueStack& stack) {
    take_numbers(reader, stack.hidden_bias);
    stack.hidden_weight.resize(kNnueHidden * kNnueAccumulators);
    take_numbers(reader, stack.hidden_weight);
    take_numbers(reader, stack.tail_bias);
    take_numbers(reader, stack.tail_weight);
    stack.out_bias = static_cast<std::int32_t>(reader.number<std::uint32_t>());
    take_numbers(reader, stack.out_weight);
}

}  // namespace

bool looks_like_nnue(std::string_view bytes) {
    return bytes.size() >= 4 &&
           load_little_endian<std::uint32_t>(as_bytes(bytes).data()) == kNnueVersion;
}

Result<NnueWeights> parse_nnue(std::string_view bytes, std::size_t inputs) {
    ByteReader reader(as_bytes(bytes));
    auto description = read_header(reader, inputs);
    if (!description) return tl::unexpected(description.error());
    NnueWeights weights;
    weights.inputs = inputs;
    weights.description = std::move(*description);
    if (auto ok = check_hash(reader, "inputs", kNnueInputHash); !ok) {
        return tl::unexpected(ok.error());
    }
    weights.bias.resize(kNnueAccumulators);
    weights.input_weight.resize(inputs * kNnueAccumulators);
    weights.input_psqt.resize(inputs * kNnueStacks);
    take_numbers(reader, weights.bias);
    take_numbers(reader, weights.input_weight);
    take_numbers(reader, weights.input_psqt);
    weights.stacks.resize(kNnueStacks);
    for (NnueStack& stack : weights.stacks) {
        if (auto ok = check_hash(reader, "layers", kNnueStackHash); !ok) {
            return tl::unexpected(ok.error());
        }
        read_stack(reader, stack);
    }
    if (!reader.ok() || reader.remaining() != 0) return fail("the net file is damaged", kNnueHint);
    return weights;
}

std::string to_nnue(const NnueWeights& weights) {
    std::string out;
    put_number(out, kNnueVersion);
    put_number(out, kNnueArchitecture);
    put_number(out, static_cast<std::uint32_t>(weights.description.size()));
    out += weights.description;
    put_number(out, kNnueInputHash);
    put_numbers(out, weights.bias);
    put_numbers(out, weights.input_weight);
    put_numbers(out, weights.input_psqt);
    for (const NnueStack& stack : weights.stacks) {
        put_number(out, kNnueStackHash);
        put_numbers(out, stack.hidden_bias);
        put_numbers(out, stack.hidden_weight);
        put_numbers(out, stack.tail_bias);
        put_numbers(out, stack.tail_weight);
        put_number(out, static_cast<std::uint32_t>(stack.out_bias));
        put_numbers(out, stack.out_weight);
    }
    return out;
}

}  // namespace solis::nn
