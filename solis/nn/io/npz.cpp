// .npz: just enough of the zip format, without ZIP64.
#include "solis/nn/io/npz.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <zlib.h>

#include "solis/base/byte_source.h"
#include "solis/base/file.h"

namespace solis::nn {
namespace {

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kCentralBytes = 46;
constexpr std::size_t kEndBytes = 22;
constexpr std::uint16_t kVersion = 20;        // "needed to extract": 2.0
constexpr std::uint16_t kFirstDay = 0x0021;   // 1 January 1980: files do not depend on the clock
constexpr std::uint16_t kEncrypted = 1;       // flag
constexpr std::uint16_t kStored = 0;          // method
constexpr std::uint16_t kDeflated = 8;        // method
constexpr std::uint32_t kZip64 = 0xFFFFFFFF;  // "see the ZIP64 field"
// The most that one byte of deflated data can stand for, rounded up.
constexpr std::size_t kMaxRatio = 1032;
// What all entries together may unpack to: this much, or so many times the size of the file.
constexpr std::uint64_t kAlwaysFine = std::uint64_t{1} << 28;
constexpr std::uint64_t kMostGrowth = 32;
constexpr std::string_view kSuffix = ".npy";
constexpr const char* kArchiveHint = "the file is cut off, damaged or not a numpy .npz";

template <class T>
void put(std::string& out, T value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
// The caller has checked that it is there.
template <class T>
T get(std::string_view bytes, std::size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

struct Entry {
    std::string name;  // in the zip
    std::uint16_t flags = 0;
    std::uint16_t method = kStored;
    std::uint32_t crc = 0;
    std::uint32_t compressed = 0;
    std::uint32_t size = 0;
    std::uint32_t offset = 0;  // of the local header
};

std::uint32_t crc_of(std::string_view bytes) {
    return static_cast<std::uint32_t>(
        ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// The fields that the local and the central header share.
void put_common(std::string& out, const Entry& entry) {
    put(out, kVersion);
    put(out, entry.flags);
    put(out, entry.method);
    put(out, std::uint16_t{0});  // time
    put(out, kFirstDay);
    put(out, entry.crc);
    put(out, entry.compressed);
    put(out, entry.size);
    put(out, static_cast<std::uint16_t>(entry.name.size()));
    put(out, std::uint16_t{0});  // extra fields
}
void put_local(std::string& out, const Entry& entry) {
    put(out, kLocalSignature);
    put_common(out, entry);
    out += entry.name;
}
void put_central(std::string& out, const Entry& entry) {
    put(out, kCentralSignature);
    put(out, kVersion);  // made by
    put_common(out, entry);
    put(out, std::uint16_t{0});  // comment
    put(out, std::uint16_t{0});  // disk
    put(out, std::uint16_t{0});  // internal attributes
    put(out, std::uint32_t{0});  // external attributes
    put(out, entry.offset);
    out += entry.name;
}
void put_end(std::string& out, std::size_t entries, std::size_t begin, std::size_t size) {
    put(out, kEndSignature);
    put(out, std::uint32_t{0});  // disks
    put(out, static_cast<std::uint16_t>(entries));
    put(out, static_cast<std::uint16_t>(entries));
    put(out, static_cast<std::uint32_t>(size));
    put(out, static_cast<std::uint32_t>(begin));
    put(out, std::uint16_t{0});  // comment
}

tl::unexpected<Error> damaged(std::string message) {
    return fail("npz: " + std::move(message), kArchiveHint);
}

// Where the end record starts. A comment of up to 64 KB may follow it.
Result<std::size_t> find_end(std::string_view bytes) {
    if (bytes.size() >= kEndBytes) {
        const std::size_t last = bytes.size() - kEndBytes;
        const std::size_t first = last - std::min<std::size_t>(last, 0xFFFF);
        for (std::size_t at = last + 1; at-- > first;) {
            if (get<std::uint32_t>(bytes, at) == kEndSignature) return at;
        }
    }
    return damaged("the end record of a zip file is missing");
}

Result<Entry> read_central(std::string_view bytes, std::size_t& at) {
    if (bytes.size() - at < kCentralBytes || get<std::uint32_t>(bytes, at) != kCentralSignature) {
        return damaged(fmt::format("no directory entry at byte {}", at));
    }
    const std::size_t name_size = get<std::uint16_t>(bytes, at + 28);
    const std::size_t others =
        std::size_t{get<std::uint16_t>(bytes, at + 30)} + get<std::uint16_t>(bytes, at + 32);
    if (bytes.size() - at - kCentralBytes < name_size + others) {
        return damaged(fmt::format("the directory entry at byte {} is cut off", at));
    }
    Entry entry;
    entry.flags = get<std::uint16_t>(bytes, at + 8);
    entry.method = get<std::uint16_t>(bytes, at + 10);
    entry.crc = get<std::uint32_t>(bytes, at + 16);
    entry.compressed = get<std::uint32_t>(bytes, at + 20);
    entry.size = get<std::uint32_t>(bytes, at + 24);
    entry.offset = get<std::uint32_t>(bytes, at + 42);
    entry.name = bytes.substr(at + kCentralBytes, name_size);
    at += kCentralBytes + name_size + others;
    if (entry.compressed == kZip64 || entry.size == kZip64 || entry.offset == kZip64) {
        return fail(
            fmt::format("npz: entry '{}' is in ZIP64 format, which is not read", entry.name),
            "save arrays of 4 GB or more as .npy");
    }
    return entry;
}

// Entries "a" and "a.npy" have one.
std::string_view array_name(const Entry& entry) {
    std::string_view name = entry.name;
    if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
    return name;
}

Result<std::vector<Entry>> read_directory(std::string_view bytes) {
    const auto end = find_end(bytes);
    if (!end) return tl::unexpected(end.error());
    const std::size_t count = get<std::uint16_t>(bytes, *end + 10);
    std::size_t at = get<std::uint32_t>(bytes, *end + 16);
    const std::string_view before_end = bytes.substr(0, *end);
    if (at > before_end.size()) return damaged("the directory lies behind the end of the file");
    std::vector<Entry> entries;
    std::set<std::string_view> names;
    std::size_t total = 0;
    std::uint64_t unpacked = 0;
    for (std::size_t i = 0; i < count; ++i) {
        auto entry = read_central(before_end, at);
        if (!entry) return tl::unexpected(entry.error());
        total += entry->compressed;
        unpacked += entry->size;
        entries.push_back(std::move(*entry));
    }
    for (const Entry& entry : entries) {
        if (!names.insert(array_name(entry)).second) {
            return damaged(fmt::format("entry '{}' appears twice", entry.name));
        }
    }
    // Entries that share their data would let a small file unpack to any size.
    if (total > bytes.size()) return damaged("entries overlap");
    // Weights hardly shrink when they are packed. What unpacks to far more is made to fill memory.
    const std::uint64_t most = std::max(kAlwaysFine, kMostGrowth * std::uint64_t{bytes.size()});
    if (unpacked > most) {
        return damaged(
            fmt::format("it unpacks to {} MiB, at most {} are expected of a file of its "
                        "size",
                        unpacked >> 20, most >> 20));
    }
    return entries;
}

Result<std::string_view> packed_data(const Entry& entry, std::string_view bytes) {
    if (entry.offset > bytes.size() || bytes.size() - entry.offset < kLocalBytes ||
        get<std::uint32_t>(bytes, entry.offset) != kLocalSignature) {
        return damaged(fmt::format("entry '{}' is not at byte {}", entry.name, entry.offset));
    }
    bytes.remove_prefix(entry.offset);
    const std::size_t skip =
        kLocalBytes + get<std::uint16_t>(bytes, 26) + std::size_t{get<std::uint16_t>(bytes, 28)};
    if (bytes.size() < skip || bytes.size() - skip < entry.compressed) {
        return damaged(fmt::format("entry '{}' is cut off", entry.name));
    }
    return bytes.substr(skip, entry.compressed);
}

// Fails unless `packed` unpacks to exactly `size` bytes.
Result<std::string> inflate_entry(std::string_view packed, std::size_t size) {
    if (size / kMaxRatio > packed.size()) return fail("is smaller than it claims");
    std::string out(size, '\0');
    z_stream stream{};
    // Negative: raw deflate data, without a zlib header.
    if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK) return fail("cannot be unpacked");
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    // zlib refuses an output without an address, even of 0 bytes.
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(size);
    const int status = ::inflate(&stream, Z_FINISH);
    const bool complete = status == Z_STREAM_END && stream.avail_out == 0;
    ::inflateEnd(&stream);
    if (!complete) return fail("is damaged");
    return out;
}

Result<std::string> unpack(const Entry& entry, std::string_view bytes) {
    const auto context = [&] { return fmt::format("npz: entry '{}'", entry.name); };
    if ((entry.flags & kEncrypted) != 0) return damaged("entry '" + entry.name + "' is encrypted");
    const auto packed = packed_data(entry, bytes);
    if (!packed) return tl::unexpected(packed.error());
    Result<std::string> data;
    if (entry.method == kDeflated) {
        data = inflate_entry(*packed, entry.size);
        if (!data) return fail(context() + " " + data.error().message, kArchiveHint);
    } else if (entry.method == kStored && entry.size == entry.compressed) {
        data = std::string(*packed);
    } else {
        return fail(fmt::format("{} uses compression method {}, expected {} or {}", context(),
                                entry.method, kStored, kDeflated),
                    "save it with numpy.savez or numpy.savez_compressed");
    }
    if (crc_of(*data) != entry.crc) {
        return fail(fmt::format("{} has checksum {:08x}, expected {:08x}", context(), crc_of(*data),
                                entry.crc),
                    kArchiveHint);
    }
    return data;
}

}  // namespace

Result<std::vector<NamedArray>> parse_npz(std::string_view bytes) {
    const auto entries = read_directory(bytes);
    if (!entries) return tl::unexpected(entries.error());
    std::vector<NamedArray> arrays;
    for (const Entry& entry : *entries) {
        const auto data = unpack(entry, bytes);
        if (!data) return tl::unexpected(data.error());
        auto array = parse_npy(*data);
        if (!array) return fail_in(fmt::format("npz: entry '{}'", entry.name), array.error());
        arrays.push_back({std::string(array_name(entry)), std::move(*array)});
    }
    return arrays;
}

Result<std::string> to_npz(const std::vector<NamedArray>& arrays) {
    std::string out, directory;
    for (const NamedArray& named : arrays) {
        const std::string npy = to_npy(named.array);
        Entry entry;
        entry.name = named.name + std::string(kSuffix);
        if (out.size() + npy.size() + entry.name.size() + kLocalBytes >= kZip64 ||
            entry.name.size() > std::numeric_limits<std::uint16_t>::max()) {
            return fail(fmt::format("npz: array '{}' makes the file larger than 4 GB", named.name),
                        "write one array per file as .npy");
        }
        entry.crc = crc_of(npy);
        entry.compressed = entry.size = static_cast<std::uint32_t>(npy.size());
        entry.offset = static_cast<std::uint32_t>(out.size());
        put_local(out, entry);
        out += npy;
        put_central(directory, entry);
    }
    if (arrays.size() >= 0xFFFF || out.size() + directory.size() >= kZip64) {
        return fail(fmt::format("npz: {} arrays of {} bytes, a zip file takes 65534 and 4 GB",
                                arrays.size(), out.size()));
    }
    const std::size_t begin = out.size();
    out += directory;
    put_end(out, arrays.size(), begin, directory.size());
    return out;
}

Result<std::vector<NamedArray>> read_npz(const std::filesystem::path& path) {
    const auto bytes = read_regular_file(path.string());
    if (!bytes) return tl::unexpected(bytes.error());
    auto arrays = parse_npz(*bytes);
    if (!arrays) return fail_in(path.string(), arrays.error());
    return arrays;
}

Result<void> write_npz(const std::filesystem::path& path, const std::vector<NamedArray>& arrays,
                       Existing existing) {
    const auto bytes = to_npz(arrays);
    if (!bytes) return fail_in(fmt::format("cannot write '{}'", path.string()), bytes.error());
    return write_file_atomically(path, *bytes, existing);
}

}  // namespace solis::nn
