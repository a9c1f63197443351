// Names of endings, and what can be computed from a game.
#include "solis/lab/match/game_record.h"

#include <array>

namespace solis::lab {
namespace {

constexpr std::array<std::string_view, kEndings> kNames{
    "checkmate",    "stalemate",   "insufficient material",
    "blocked",      "repetition",  "fifty-move rule",
    "agreed draw",  "resignation", "tablebase",
    "move limit",   "time loss",   "illegal move",
    "crash",        "hang",        "garbage",
    "did not start"};

}  // namespace

std::string_view name_of(Ending ending) { return kNames[static_cast<std::size_t>(ending)]; }

std::optional<Ending> ending_from_name(std::string_view name) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name) return static_cast<Ending>(i);
    }
    return std::nullopt;
}

Ending ending_from(chess::Termination termination) {
    switch (termination) {
        case chess::Termination::Checkmate:
            return Ending::Checkmate;
        case chess::Termination::Stalemate:
            return Ending::Stalemate;
        case chess::Termination::InsufficientMaterial:
            return Ending::InsufficientMaterial;
        case chess::Termination::BlockedPosition:
            return Ending::BlockedPosition;
        case chess::Termination::FivefoldRepetition:
        case chess::Termination::ThreefoldRepetition:
            return Ending::Repetition;
        case chess::Termination::SeventyFiveMoves:
        case chess::Termination::FiftyMoves:
            break;
    }
    return Ending::FiftyMoves;
}

std::uint64_t fingerprint(const GameRecord& game) {
    constexpr std::uint64_t kPrime = 0x9E3779B97F4A7C15;
    std::uint64_t hash = game.start.key();
    for (const PlayedMove& played : game.moves) {
        hash = (hash ^ played.move.bits()) * kPrime;
        hash ^= hash >> 29;
    }
    return hash;
}

double white_points(const GameRecord& game) {
    if (game.result == chess::GameResult::WhiteWins) return 1;
    return game.result == chess::GameResult::Draw ? 0.5 : 0;
}

}  // namespace solis::lab
