// Positions of games with their embeddings, to be searched for those most like a given one.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "solis/analysis/space/games.h"

namespace solis::analysis {

// What was played in one position of a game.
struct PlayedPosition {
    std::uint32_t game = 0;
    std::uint32_t ply = 0;  // from the start of the game
};

// Everything in memory: 4 bytes per dimension and 12 per position, 140 MB for a million positions
// of 32 dimensions.
struct SimilarIndex {
    std::string space;   // hash of the model
    std::string source;  // what the input was: size and time of change
    std::size_t dims = 0;
    std::vector<float> points;         // rows x dims, of length 1
    std::vector<PlayedPosition> rows;  // where each stands
    struct Game {
        std::string name;
        std::string fen;  // of the start
        std::uint8_t result = 0;
        std::vector<std::uint16_t> moves;
    };
    std::vector<Game> games;

    // The position of a row; moves have been checked.
    [[nodiscard]] chess::Position position(std::size_t row) const;
    // The move that was played there, or none at the end of a game.
    [[nodiscard]] chess::Move played(std::size_t row) const;
};

// The games' positions up to `most`; equal ones of different games each count.
[[nodiscard]] Result<SimilarIndex> build_similar_index(const std::string& input, std::size_t most,
                                                       const SpaceModel& model, ThreadPool& pool,
                                                       const Listener& listener);

// What a file is known by, to notice when it has changed.
[[nodiscard]] std::string file_fingerprint(const std::string& path);

[[nodiscard]] std::string to_index_file(const SimilarIndex& index);
// Any bytes. Games are replayed: only legal moves are accepted.
[[nodiscard]] Result<SimilarIndex> parse_index_file(std::string_view bytes);

struct SimilarPosition {
    double similarity = 0;  // cosine
    std::size_t row = 0;
};
// The rows nearest to a point of length 1, all of them compared. Each position is listed once,
// whatever the number of games it occurred in.
[[nodiscard]] std::vector<SimilarPosition> most_similar(const SimilarIndex& index,
                                                        std::span<const float> point,
                                                        std::size_t count, ThreadPool& pool);

}  // namespace solis::analysis
