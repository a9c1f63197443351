// The dataset formats by name: which there are, how one is recognised, opened and written.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/output.h"
#include "solis/base/result.h"
#include "solis/data/game_sink.h"
#include "solis/data/game_source.h"

namespace solis::data {

enum class Format { Bag, Json, Puzzles, Pgn, Trees, Text, Tsv, Plain, Marlin, Bullet, Hdf5 };

struct FormatInfo {
    Format format;
    std::string_view name;         // on the command line
    std::string_view description;  // one line of help
    bool can_import;
    bool can_export;
};

[[nodiscard]] std::span<const FormatInfo> formats();
[[nodiscard]] std::string_view name_of(Format format);
// The error lists the names there are.
[[nodiscard]] Result<Format> format_from_name(std::string_view name);

// By the name of the file, else by how its content begins. The error says what was looked for.
[[nodiscard]] Result<Format> detect_format(const std::string& path);

// Games of several inputs one after another. A path may be "-" (standard input) for text formats
// and "name@N.bag" for N shards. Files are opened when their turn comes.
[[nodiscard]] Result<std::unique_ptr<GameSource>> open_import(const std::vector<std::string>& paths,
                                                              std::optional<Format> format,
                                                              int threads);
[[nodiscard]] Result<std::unique_ptr<GameSink>> create_export(
    const std::string& path, Format format, Existing existing = Existing::Replace);

}  // namespace solis::data
