// Games of all kinds of input.
#include "solis/analysis/space/games.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "solis/base/byte_source.h"
#include "solis/chess/game.h"
#include "solis/chess/movegen.h"
#include "solis/chess/pgn/reader.h"
#include "solis/chess/random_positions.h"
#include "solis/chess/san.h"
#include "solis/data/formats/epd_source.h"
#include "solis/data/formats/format.h"
#include "solis/data/store/reader.h"

namespace solis::analysis {
namespace {

bool ends_in(const std::string& path, std::initializer_list<std::string_view> names) {
    std::filesystem::path name(path);
    if (name.extension() == ".zst") name = name.stem();
    return std::ranges::find(names, name.extension().string()) != names.end();
}

std::string tagged_name(const chess::PgnGame& game) {
    std::string name;
    const auto white = game.tag("White"), black = game.tag("Black");
    if (white && black) name = fmt::format("{} - {}", *white, *black);
    for (const char* tag : {"Event", "Date"}) {
        const auto value = game.tag(tag);
        if (!value || value->empty() || value->front() == '?') continue;
        // "1858.??.??" is a year.
        const std::string_view known = std::string_view(*value).substr(0, value->find(".?"));
        name += fmt::format("{}{}", name.empty() ? "" : ", ", known);
    }
    return name;
}

Result<void> read_pgn(const std::string& path, const Listener& listener,
                      const std::function<bool(SeenGame&&)>& use) {
    auto source = open_source(path);
    if (!source) return tl::unexpected(source.error());
    chess::PgnReader reader(**source);
    chess::PgnGame game;
    for (;;) {
        const auto outcome = reader.next(game);
        if (!outcome) return tl::unexpected(outcome.error());
        if (*outcome == chess::PgnOutcome::End) return {};
        if (*outcome == chess::PgnOutcome::Broken) {
            listener.warning(fmt::format("'{}', {}", path, reader.error().message));
        } else if (!use(seen_game(game))) {
            return {};
        }
    }
}

SeenGame labelled_line(const data::LabelledGame& game) {
    SeenGame result;
    result.result = game.result;
    chess::Position position = game.start;
    for (const data::Ply& ply : game.line) {
        if (!ply.move.is_none()) {
            position = position.after(ply.move);
            result.moves.push_back(ply.move);
        }
        result.positions.push_back(position);
        std::optional<float> label;
        if (!ply.score.is_none()) {
            const double p = ply.score.win_probability();
            const bool white = position.side_to_move() == chess::Color::White;
            label = static_cast<float>(white ? p : 1 - p);
        }
        result.labels.push_back(label);
    }
    return result;
}

Result<std::unique_ptr<data::GameSource>> open_any_games(const std::string& input) {
    if (input == "-" || ends_in(input, {".fen", ".epd", ".txt"})) {
        auto bytes = open_source(input);
        if (!bytes) return tl::unexpected(bytes.error());
        return data::make_epd_source(input, std::move(*bytes));
    }
    if (auto store = data::StoreSource::open(input)) return std::move(*store);
    return data::open_import({input}, {}, 1);
}

// The hint of a damaged store names an option that the readers here do not have.
tl::unexpected<Error> failure_of(const data::GameSource& source, const Error& error,
                                 const std::string& input) {
    if (dynamic_cast<const data::StoreSource*>(&source) == nullptr) return tl::unexpected(error);
    return fail(
        error.message,
        fmt::format("solis data merge --skip-damaged WHOLE.sgt {} makes a store of the rest",
                    input));
}

// The better of two moves is drawn the more often the lower the temperature is.
chess::Move drawn_move(const chess::Position& position, std::span<const chess::Move> moves,
                       model::Evaluator& evaluator, double temperature, Rng& rng) {
    std::vector<chess::Position> children;
    for (const chess::Move move : moves) children.push_back(position.after(move));
    std::vector<float> scores(children.size());
    evaluator.score_children(position, children, scores);
    const double side = position.side_to_move() == chess::Color::White ? 1 : -1;
    std::vector<double> weights;
    double best = -INFINITY, sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const bool mates = chess::legal_moves(children[i]).empty() && children[i].in_check();
        weights.push_back(mates ? 3 : side * static_cast<double>(scores[i]));
        best = std::max(best, weights.back());
    }
    for (double& weight : weights) sum += weight = std::exp((weight - best) / temperature);
    double left = rng.unit() * sum;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        if ((left -= weights[i]) <= 0) return moves[i];
    }
    return moves.back();
}

// Where none comes up soon, the last one played.
SeenGame example_of(const SpaceModel& model, chess::GameResult wanted, Rng& rng) {
    constexpr int kTries = 400;
    SeenGame game;
    for (int i = 0; i < kTries; ++i) {
        // Two careful players draw more often than others.
        const double chance = 0.01 + 0.02 * rng.unit();
        const bool draw = wanted == chess::GameResult::Draw;
        game = generated_game(model, draw ? Temperatures{chance, chance} : drawn_temperatures(rng),
                              rng);
        if (game.result == wanted && game.moves.size() >= 30 && game.moves.size() <= 110) break;
    }
    game.name = "generated";
    return game;
}

}  // namespace

SeenGame seen_game(const chess::PgnGame& game) {
    SeenGame result;
    result.name = tagged_name(game);
    result.result = game.result();
    result.positions.push_back(game.start());
    for (auto i = chess::first_move(game); i != chess::PgnNode::kNone; i = game.node(i).next) {
        result.moves.push_back(game.node(i).move);
        result.positions.push_back(result.positions.back().after(game.node(i).move));
    }
    return result;
}

std::string move_text(const SeenGame& game, std::size_t ply) {
    const chess::Position& before = game.positions[ply - 1];
    const bool white = before.side_to_move() == chess::Color::White;
    return fmt::format("{}{}{}", before.fullmove_number(), white ? "." : "...",
                       chess::to_san(before, game.moves[ply - 1]));
}

Result<void> read_games(const std::string& input, const Listener& listener,
                        const std::function<bool(SeenGame&&)>& use) {
    if (ends_in(input, {".pgn"})) return read_pgn(input, listener, use);
    auto source = open_any_games(input);
    if (!source) return tl::unexpected(source.error());
    data::LabelledGame game;
    for (;;) {
        const auto more = (*source)->next(game);
        if (!more) return failure_of(**source, more.error(), input);
        if (!*more || !use(labelled_line(game))) break;
    }
    for (const std::string& error : (*source)->report().first_errors) listener.warning(error);
    return {};
}

Temperatures drawn_temperatures(Rng& rng) {
    const auto draw = [&] { return 0.01 * std::pow(40, rng.unit() * rng.unit()); };
    const double white = draw(), black = draw();
    return {white, black};
}

SeenGame generated_game(const SpaceModel& model, const Temperatures& temperatures, Rng& rng) {
    constexpr std::size_t kMostPlies = 160;
    chess::Game game = chess::random_opening(2 + static_cast<int>(rng.below(7)), rng);
    const auto evaluator = model.model().make_evaluator();
    SeenGame result;
    while (game.moves().size() < kMostPlies && !game.outcome(chess::Claims::Counted)) {
        const chess::MoveList moves = chess::legal_moves(game.position());
        const bool white = game.position().side_to_move() == chess::Color::White;
        game.push(drawn_move(game.position(), {moves.begin(), moves.end()}, *evaluator,
                             white ? temperatures.white : temperatures.black, rng));
    }
    if (const auto outcome = game.outcome(chess::Claims::Counted)) {
        result.result = !outcome->winner                          ? chess::GameResult::Draw
                        : *outcome->winner == chess::Color::White ? chess::GameResult::WhiteWins
                                                                  : chess::GameResult::BlackWins;
    }
    result.positions.assign(game.positions().begin(), game.positions().end());
    result.moves.assign(game.moves().begin(), game.moves().end());
    return result;
}

std::vector<SeenGame> generated_examples(const SpaceModel& model, Seed seed) {
    Rng rng(Seed{seed.value + 1});
    std::vector<SeenGame> examples;
    for (const chess::GameResult wanted :
         {chess::GameResult::WhiteWins, chess::GameResult::Draw, chess::GameResult::BlackWins}) {
        examples.push_back(example_of(model, wanted, rng));
    }
    return examples;
}

}  // namespace solis::analysis
