// What the tests of the formats share.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "solis/base/byte_source.h"
#include "solis/data/formats/row_source.h"
#include "solis/data/game_source.h"

namespace solis::data {

inline constexpr std::string_view kAfterE4 =
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

// All games of a source, which must be readable to the end.
inline std::vector<LabelledGame> all_games(GameSource& source) {
    std::vector<LabelledGame> games;
    LabelledGame game;
    for (;;) {
        const auto more = source.next(game);
        EXPECT_TRUE(more) << more.error().message;
        if (!more || !*more) return games;
        games.push_back(game);
    }
}

struct Imported {
    std::vector<LabelledGame> games;
    ImportReport report;
};

inline Imported read_rows(RowFormat format, int threads = 1) {
    const auto source = make_row_source("test", std::move(format), threads);
    auto games = all_games(*source);
    return {std::move(games), source->report()};
}

// The one game of a text, read by one of the *_rows functions.
template <class Rows>
Imported read_text(Rows rows, std::string_view text) {
    return read_rows(rows(memory_source(text)));
}

// Bytes typed as hexadecimal pairs.
inline std::string from_hex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size();) {
        if (hex[i] == ' ') {
            ++i;
            continue;
        }
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
        i += 2;
    }
    return bytes;
}

}  // namespace solis::data
