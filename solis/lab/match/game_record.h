// A finished game of a match: moves with what the engines said about them, result, and why.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solis/chess/game_result.h"
#include "solis/chess/position.h"
#include "solis/chess/rules.h"
#include "solis/data/score.h"

namespace solis::lab {

enum class Ending : std::uint8_t {
    // by the rules
    Checkmate,
    Stalemate,
    InsufficientMaterial,
    BlockedPosition,
    Repetition,
    FiftyMoves,
    // adjudicated
    AgreedDraw,
    Resignation,
    Tablebase,
    MoveLimit,
    // charged to one side
    TimeLoss,
    IllegalMove,
    Crash,
    Hang,
    Garbage,
    NoStart,
};

inline constexpr int kEndings = static_cast<int>(Ending::NoStart) + 1;

// For example "illegal move".
[[nodiscard]] std::string_view name_of(Ending ending);
[[nodiscard]] std::optional<Ending> ending_from_name(std::string_view name);
[[nodiscard]] Ending ending_from(chess::Termination termination);
// One engine is to blame.
[[nodiscard]] constexpr bool is_fault(Ending ending) { return ending >= Ending::TimeLoss; }
// The engine is of no more use and has to be started again.
[[nodiscard]] constexpr bool loses_engine(Ending ending) { return ending >= Ending::Crash; }

struct PlayedMove {
    chess::Move move;
    data::Score score{};  // of the mover; none in the opening and where the engine gave none
    int depth = 0;
    std::uint64_t nodes = 0;
    int time_ms = 0;  // as measured here
    // Measured minus what the engine reported last: the cost of pipes and scheduling.
    int lag_ms = 0;

    friend bool operator==(const PlayedMove&, const PlayedMove&) = default;
};

struct GameRecord {
    std::uint64_t number = 0;  // in the schedule
    std::string white;
    std::string black;
    chess::Position start = chess::Position::start();
    std::size_t book_plies = 0;  // of the moves, given by the opening
    std::vector<PlayedMove> moves;
    chess::GameResult result = chess::GameResult::Unknown;
    Ending ending = Ending::Checkmate;
    std::optional<chess::Color> at_fault;
    std::string note;        // what exactly happened, where one side is to blame
    std::string started_at;  // UTC, "2025-01-31T12:00:00Z"
    int duration_ms = 0;

    friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

// Equal for games with the same start and the same moves, and as good as never for others.
[[nodiscard]] std::uint64_t fingerprint(const GameRecord& game);

// Points of White: 1, 0.5 or 0.
[[nodiscard]] double white_points(const GameRecord& game);

// One line of JSON without line end, and back. Reading checks everything: moves are legal, the
// columns are as long as the game.
[[nodiscard]] std::string to_json_line(const GameRecord& game);
[[nodiscard]] Result<GameRecord> parse_json_line(std::string_view line);

}  // namespace solis::lab
