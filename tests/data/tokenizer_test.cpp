// Tokens: golden vectors typed from the definition, a slow second version, and the way back.
#include "solis/data/inputs/tokenizer.h"

#include <sstream>

#include <gtest/gtest.h>

#include "solis/chess/fen.h"
#include "tests/data/random_games.h"

namespace solis::data {
namespace {

// Straight from the definition: characters of the FEN, looked up in the alphabet.
std::vector<int> tokenize_slowly(const std::string& fen, Tokenizer tokenizer) {
    const bool deepmind = tokenizer == Tokenizer::Deepmind;
    const std::string alphabet =
        deepmind ? "0123456789abcdefghpnrkqPBNRQKw." : "0123456789abcdefghpnrkqPBNRQKwb-.";
    std::istringstream fields(fen);
    std::string board, side, castling, en_passant, half, full;
    fields >> board >> side >> castling >> en_passant >> half >> full;
    std::string text = side;
    for (const char c : board) {
        if (c == '/') continue;
        text += c >= '1' && c <= '8' ? std::string(static_cast<std::size_t>(c - '0'), '.')
                                     : std::string(1, c);
    }
    text += castling == "-" ? "...." : castling + std::string(4 - castling.size(), '.');
    text += en_passant == "-" ? ".." : en_passant;
    for (const std::string& counter : {half, full}) {
        const std::string padding(3 - counter.size(), deepmind ? '.' : '0');
        text += deepmind ? counter + padding : padding + counter;
    }
    std::vector<int> tokens;
    for (const char c : text) tokens.push_back(static_cast<int>(alphabet.rfind(c)));
    return tokens;
}

std::vector<int> as_ints(const Tokens& tokens) { return {tokens.begin(), tokens.end()}; }

TEST(Tokenizer, StartPositionHasTheTokensOfTheDefinition) {
    std::vector<int> deepmind{29, 20, 19, 11, 22, 21, 11, 19, 20};
    std::vector<int> reference{29, 20, 19, 30, 22, 21, 30, 19, 20};
    for (std::vector<int>* tokens : {&deepmind, &reference}) {
        const int empty = tokens == &deepmind ? 30 : 32;
        tokens->insert(tokens->end(), 8, 18);
        tokens->insert(tokens->end(), 32, empty);
        tokens->insert(tokens->end(), 8, 23);
        for (const int t : {26, 25, 24, 27, 28, 24, 25, 26, 28, 27, 21, 22, empty, empty}) {
            tokens->push_back(t);
        }
    }
    for (const int t : {0, 30, 30, 1, 30, 30}) deepmind.push_back(t);
    for (const int t : {0, 0, 0, 0, 0, 1}) reference.push_back(t);
    EXPECT_EQ(as_ints(tokenize(chess::Position::start(), Tokenizer::Deepmind)), deepmind);
    EXPECT_EQ(as_ints(tokenize(chess::Position::start(), Tokenizer::Reference)), reference);
}

TEST(Tokenizer, TheLetterBIsOneTokenInAllItsMeanings) {
    const auto position = chess::parse_fen("1b6/8/8/8/pP6/8/8/K1k5 b - b3 0 123");
    ASSERT_TRUE(position);
    for (const Tokenizer tokenizer : {Tokenizer::Deepmind, Tokenizer::Reference}) {
        const Tokens tokens = tokenize(*position, tokenizer);
        const int b = tokenizer == Tokenizer::Deepmind ? 11 : 30;
        EXPECT_EQ(tokens[0], b) << "Black to move";
        EXPECT_EQ(tokens[2], b) << "bishop on b8";
        EXPECT_EQ(tokens[69], b) << "en passant on the b-file";
        EXPECT_EQ(tokens[70], 3);
        EXPECT_EQ((std::vector<int>{tokens[74], tokens[75], tokens[76]}),
                  (std::vector<int>{1, 2, 3}));
    }
}

TEST(Tokenizer, EqualsTheSlowVersionAndComesBackOnRandomGames) {
    for (const LabelledGame& game : random_games(Seed{5}, 60, 120)) {
        chess::Position position = game.start;
        for (const Ply& ply : game.line) {
            if (!ply.move.is_none()) position = position.after(ply.move);
            if (position.needs_chess960_castling() || position.fullmove_number() > 999) continue;
            for (const Tokenizer tokenizer : {Tokenizer::Deepmind, Tokenizer::Reference}) {
                const Tokens tokens = tokenize(position, tokenizer);
                const std::string fen = chess::to_fen(position);
                ASSERT_EQ(as_ints(tokens), tokenize_slowly(fen, tokenizer)) << fen;
                const auto back = detokenize(tokens, tokenizer);
                ASSERT_TRUE(back) << back.error().message;
                ASSERT_EQ(*back, position) << fen;
            }
        }
    }
}

TEST(Tokenizer, CountersBeyondThreeDigitsAreClipped) {
    const auto position = chess::parse_fen("8/8/8/8/8/8/8/K1k5 w - - 1000 4000");
    ASSERT_TRUE(position);
    const auto back = detokenize(tokenize(*position, Tokenizer::Reference), Tokenizer::Reference);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->halfmove_clock(), 999);
    EXPECT_EQ(back->fullmove_number(), 999);
}

TEST(Tokenizer, TokensThatMakeNoSenseAreRefused) {
    const Tokens good = tokenize(chess::Position::start(), Tokenizer::Reference);
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const int wrong : {31, 33, 255}) {  // '-' stands nowhere; the others do not exist
            Tokens tokens = good;
            tokens[i] = static_cast<std::uint8_t>(wrong);
            EXPECT_FALSE(detokenize(tokens, Tokenizer::Reference)) << i << " " << wrong;
        }
    }
    Tokens digits = good;
    digits[20] = 4;  // a digit is no run of empty squares
    EXPECT_FALSE(detokenize(digits, Tokenizer::Reference));
}

TEST(Tokenizer, NamesRoundTrip) {
    for (const Tokenizer tokenizer : {Tokenizer::Deepmind, Tokenizer::Reference}) {
        EXPECT_EQ(tokenizer_from_name(name_of(tokenizer)), tokenizer);
    }
    EXPECT_FALSE(tokenizer_from_name("Deepmind"));
    EXPECT_EQ(vocabulary_size(Tokenizer::Deepmind), 31);
    EXPECT_EQ(vocabulary_size(Tokenizer::Reference), 33);
}

}  // namespace
}  // namespace solis::data
