// Table of formats, import of several files, export.
#include "solis/data/formats/format.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include <fmt/format.h>

#include "solis/base/byte_sink.h"
#include "solis/data/formats/bag_format.h"
#include "solis/data/formats/game_formats.h"
#include "solis/data/formats/hdf5_format.h"
#include "solis/data/formats/packed_formats.h"
#include "solis/data/formats/plain_format.h"
#include "solis/data/formats/position_exports.h"
#include "solis/data/formats/row_source.h"
#include "solis/data/formats/text_formats.h"

namespace solis::data {
namespace {

constexpr std::array kFormats{
    FormatInfo{Format::Bag, "bag", "ChessBench .bag/.bagz, also name@N.bag", true, true},
    FormatInfo{Format::Json, "jsonl", "Lichess evaluations, or JSON lines of our own", true, true},
    FormatInfo{Format::Puzzles, "puzzles", "Lichess puzzles as CSV, lines without scores", true,
               false},
    FormatInfo{Format::Pgn, "pgn", "PGN, scores from [%eval] comments", true, true},
    FormatInfo{Format::Trees, "trees", "games with labelled branches, one per line", true, true},
    FormatInfo{Format::Text, "text", "'FEN | cp | result', White's view", true, true},
    FormatInfo{Format::Tsv, "tsv", "FEN<TAB>score, the side to move's view", true, true},
    FormatInfo{Format::Plain, "plain", "Stockfish's .plain", true, false},
    FormatInfo{Format::Marlin, "marlin", "marlinformat, 32-byte records", true, true},
    FormatInfo{Format::Bullet, "bullet", "bulletformat, 32-byte records", true, true},
    FormatInfo{Format::Hdf5, "hdf5", "HDF5 of the paper's reference code", true, true},
};

using OpenRows = RowFormat (*)(std::unique_ptr<ByteSource> source);

OpenRows stream_opener(Format format) {
    switch (format) {
        case Format::Json:
            return json_rows;
        case Format::Puzzles:
            return puzzle_rows;
        case Format::Trees:
            return tree_rows;
        case Format::Text:
            return text_rows;
        case Format::Tsv:
            return tsv_rows;
        case Format::Marlin:
            return marlin_rows;
        case Format::Bullet:
            return bullet_rows;
        default:
            return nullptr;
    }
}

Result<RowFormat> open_rows(const std::string& path, Format format) {
    if (format == Format::Bag) return open_bag(path);
    if (format == Format::Hdf5) return open_hdf5(path);
    auto source = open_source(path);
    if (!source) return tl::unexpected(source.error());
    return stream_opener(format)(std::move(*source));
}

Result<std::unique_ptr<GameSource>> open_one(const std::string& path, Format format, int threads) {
    if (format == Format::Plain || format == Format::Pgn) {
        auto source = open_source(path);
        if (!source) return tl::unexpected(source.error());
        return format == Format::Pgn ? pgn_source(path, std::move(*source))
                                     : plain_source(path, std::move(*source));
    }
    auto rows = open_rows(path, format);
    if (!rows) return tl::unexpected(rows.error());
    return make_row_source(path, std::move(*rows), threads);
}

struct Input {
    std::string path;
    Format format;
};

class InputsSource final : public GameSource {
  public:
    InputsSource(std::vector<Input> inputs, int threads)
        : inputs_(std::move(inputs)), threads_(threads) {}

    Result<bool> next(LabelledGame& game) override {
        for (;;) {
            if (current_) {
                const auto more = current_->next(game);
                if (!more) return more;
                if (*more && is_storable(game)) return true;
                if (*more) {
                    refuse(game);
                    continue;
                }
                finished_.add(current_->report());
                current_.reset();
            }
            if (next_ == inputs_.size()) return false;
            const Input& input = inputs_[next_++];
            auto opened = open_one(input.path, input.format, threads_);
            if (!opened) return tl::unexpected(opened.error());
            current_ = std::move(*opened);
        }
    }
    const ImportReport& report() const override {
        report_ = finished_;
        if (current_) report_.add(current_->report());
        return report_;
    }

  private:
    static bool is_storable(const LabelledGame& game) {
        return game.line.size() <= kMaxGamePlies &&
               game.line.size() + game.branches.size() <= kMaxGamePositions;
    }
    // The source has counted the row already.
    void refuse(const LabelledGame& game) {
        finished_.add_bad_row(
            inputs_[next_ - 1].path,
            Error{fmt::format("a game of {} positions, at most {} in its line and {} with branches",
                              game.line.size() + game.branches.size(), kMaxGamePlies,
                              kMaxGamePositions),
                  {}});
    }

    std::vector<Input> inputs_;
    int threads_;
    std::size_t next_ = 0;
    std::unique_ptr<GameSource> current_;
    ImportReport finished_;        // of the inputs before the current one
    mutable ImportReport report_;  // put together when asked for
};

// Missing files are found before hours of reading the ones in front of them. Opening a pipe would
// take bytes from it.
Result<void> check_readable(const std::string& path) {
    const bool is_pipe = std::filesystem::exists(path) && !std::filesystem::is_regular_file(path) &&
                         !std::filesystem::is_directory(path);
    if (path == "-" || is_pipe) return {};
    auto source = open_input(path);
    if (!source) return tl::unexpected(source.error());
    return {};
}

}  // namespace

std::span<const FormatInfo> formats() { return kFormats; }

std::string_view name_of(Format format) {
    const auto is_it = [&](const FormatInfo& info) { return info.format == format; };
    return std::find_if(kFormats.begin(), kFormats.end(), is_it)->name;
}

Result<Format> format_from_name(std::string_view name) {
    std::string names;
    for (const FormatInfo& info : kFormats) {
        if (info.name == name) return info.format;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
    }
    return fail(fmt::format("unknown format '{}'", name), fmt::format("one of: {}", names));
}

Result<std::unique_ptr<GameSource>> open_import(const std::vector<std::string>& paths,
                                                std::optional<Format> format, int threads) {
    std::vector<Input> inputs;
    for (const std::string& path : paths) {
        // A file may have '@' in its name; shards have no such file.
        const bool is_file = path == "-" || std::filesystem::exists(path);
        auto files = is_file ? std::vector{path} : expand_shards(path);
        if (!files) return tl::unexpected(files.error());
        for (const std::string& file : *files) {
            if (auto ok = check_readable(file); !ok) return tl::unexpected(ok.error());
            const auto used = format ? *format : detect_format(file);
            if (!used) return tl::unexpected(used.error());
            inputs.push_back({file, *used});
        }
    }
    return std::make_unique<InputsSource>(std::move(inputs), threads);
}

Result<std::unique_ptr<GameSink>> create_export(const std::string& path, Format format,
                                                Existing existing) {
    if (format == Format::Hdf5) return create_hdf5(path, existing);
    auto out = create_sink(path, existing);
    if (!out) return tl::unexpected(out.error());
    switch (format) {
        case Format::Bag:
            return bag_sink(std::move(*out), path.ends_with(".bagz"));
        case Format::Json:
            return json_sink(std::move(*out));
        case Format::Pgn:
            return pgn_sink(std::move(*out));
        case Format::Trees:
            return tree_sink(std::move(*out));
        case Format::Text:
            return text_sink(std::move(*out));
        case Format::Tsv:
            return tsv_sink(std::move(*out));
        case Format::Marlin:
            return marlin_sink(std::move(*out));
        case Format::Bullet:
            return bullet_sink(std::move(*out));
        default:
            return fail("this format cannot be written", "see solis data export --help");
    }
}

}  // namespace solis::data
