// Which format a file has.
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/data/formats/format.h"
#include "solis/data/formats/packed_formats.h"
#include "solis/data/formats/tree_text.h"

namespace solis::data {
namespace {

struct Ending {
    std::string_view text;
    Format format;
};

constexpr std::array kEndings{
    Ending{".bag", Format::Bag},       Ending{".bagz", Format::Bag},
    Ending{".jsonl", Format::Json},    Ending{".ndjson", Format::Json},
    Ending{".csv", Format::Puzzles},   Ending{".tsv", Format::Tsv},
    Ending{".plain", Format::Plain},   Ending{".h5", Format::Hdf5},
    Ending{".hdf5", Format::Hdf5},     Ending{".marlin", Format::Marlin},
    Ending{".bullet", Format::Bullet}, Ending{".pgn", Format::Pgn},
};

std::optional<Format> by_name(std::string_view path) {
    if (path.ends_with(".zst")) path.remove_suffix(4);
    for (const Ending& ending : kEndings) {
        if (path.ends_with(ending.text)) return ending.format;
    }
    return std::nullopt;
}

// The first bytes, decompressed.
Result<std::string> beginning(const std::string& path) {
    constexpr std::size_t kEnough = 512 * kPackedSize;  // also a whole line of tree text
    auto source = open_source(path);
    if (!source) return tl::unexpected(source.error());
    std::string bytes(kEnough, '\0');
    std::size_t size = 0;
    while (size < bytes.size()) {
        const auto got = (*source)->read(std::span(bytes).subspan(size));
        if (!got) return tl::unexpected(got.error());
        if (*got == 0) break;
        size += *got;
    }
    bytes.resize(size);
    return bytes;
}

// Whether every whole record at the beginning makes sense.
template <class Read>
bool all_records(std::string_view bytes, Read read) {
    std::size_t good = 0;
    for (; bytes.size() >= kPackedSize; bytes.remove_prefix(kPackedSize), ++good) {
        if (!read(as_bytes(bytes.substr(0, kPackedSize)))) return false;
    }
    return good > 0;
}

std::optional<Format> by_content(std::string_view bytes) {
    if (bytes.starts_with("\x89HDF\r\n\x1a\n")) return Format::Hdf5;
    // bulletformat first: it repeats the king squares, which other records do not get right.
    if (all_records(bytes, read_bullet)) return Format::Bullet;
    if (all_records(bytes, read_marlin)) return Format::Marlin;
    std::string_view line = bytes.substr(0, bytes.find('\n'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with('{')) return Format::Json;
    if (line.starts_with("[")) return Format::Pgn;
    if (line.starts_with("PuzzleId,")) return Format::Puzzles;
    if (line.starts_with("fen ")) return Format::Plain;
    if (line.find('|') != std::string_view::npos) return Format::Text;
    if (line.find('\t') != std::string_view::npos) return Format::Tsv;
    if (LabelledGame game; parse_tree_text(line, game)) {
        return Format::Trees;
    }
    return std::nullopt;
}

}  // namespace

Result<Format> detect_format(const std::string& path) {
    if (const auto format = by_name(path)) return *format;
    const std::string hint = "name it with --format";
    // Looking into a pipe would take bytes from it.
    if (path == "-" || !std::filesystem::is_regular_file(path)) {
        return fail(fmt::format("'{}': the format of a pipe is not known", path), hint);
    }
    const auto bytes = beginning(path);
    if (!bytes) return tl::unexpected(bytes.error());
    if (const auto format = by_content(*bytes)) return *format;
    return fail(fmt::format("'{}': neither its name nor its content tells the format", path), hint);
}

}  // namespace solis::data
