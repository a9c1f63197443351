// Numbers, scores and results of other programs.
#include "solis/data/formats/fields.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace solis::data {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kBlank);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

Result<Score> score_from_number(long long number) {
    if (number > Score::kMate || number < -Score::kMate) {
        return fail(fmt::format("score {} is outside -{}..{}", number, Score::kMate, Score::kMate));
    }
    const Score score = Score::from_bits(static_cast<std::int16_t>(number));
    return score.is_none() ? Score::centipawns(number) : score;
}

Score score_from_mate(long long moves) {
    constexpr long long kFar = Score::kUnknownDistance;
    if (moves > 0) return Score::mate_in(static_cast<int>(std::min(moves, kFar)));
    return Score::mated_in(static_cast<int>(std::min(-std::max(moves, -kFar), kFar)));
}

Score score_from_white_mate(long long moves, chess::Color side_to_move) {
    if (moves == 0) return Score::mated_in(0);
    const bool for_mover = (moves > 0) == (side_to_move == chess::Color::White);
    const long long distance = moves > 0 ? moves : -std::max(moves, -1LL * Score::kMate);
    return score_from_mate(for_mover ? distance : -distance);
}

Result<GameResult> parse_result(std::string_view text) {
    struct Spelling {
        std::string_view text;
        GameResult result;
    };
    static constexpr std::array kSpellings{
        Spelling{"1.0", GameResult::WhiteWins}, Spelling{"0.5", GameResult::Draw},
        Spelling{"0.0", GameResult::BlackWins}, Spelling{"1", GameResult::WhiteWins},
        Spelling{"0", GameResult::BlackWins},   Spelling{"1/2", GameResult::Draw},
        Spelling{"1-0", GameResult::WhiteWins}, Spelling{"0-1", GameResult::BlackWins},
        Spelling{"1/2-1/2", GameResult::Draw},  Spelling{"*", GameResult::Unknown},
    };
    std::string_view bare = text;
    if (bare.starts_with('[') && bare.ends_with(']')) bare = bare.substr(1, bare.size() - 2);
    for (const Spelling& spelling : kSpellings) {
        if (bare == spelling.text) return spelling.result;
    }
    return fail(fmt::format("result {}, expected 1.0, 0.5 or 0.0", in_quotes(text)));
}

void set_position(LabelledGame& game, const chess::Position& position, Score score) {
    game.start = position;
    game.line.assign(1, Ply{.move = {}, .score = score, .second_look = {}, .branch_count = 0});
}

}  // namespace solis::data
