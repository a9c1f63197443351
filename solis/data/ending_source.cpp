// Random placements, judged by tables of mates.
#include "solis/data/ending_source.h"

#include "solis/chess/mate_table.h"
#include "solis/chess/random_positions.h"
#include "solis/chess/rules.h"

namespace solis::data {
namespace {

using chess::Color;
using chess::Position;

class EndingSource final : public GameSource {
  public:
    explicit EndingSource(const EndingOptions& options) : options_(options), rng_(options.seed) {}

    Result<bool> next(LabelledGame& game) override {
        const Position position = random_position();
        game = {};
        game.start = position;
        game.line.push_back({{}, label_of(position), {}, 0});
        std::vector<chess::Move> moves;
        for (const chess::Move move : chess::legal_moves(position)) moves.push_back(move);
        const std::size_t wanted =
            std::min(moves.size(), static_cast<std::size_t>(options_.children));
        for (std::size_t i = 0; i < wanted; ++i) {
            std::swap(moves[i], moves[i + rng_.below(moves.size() - i)]);
            game.branches.push_back({moves[i], {}, label_of(position.after(moves[i]))});
        }
        game.line[0].branch_count = static_cast<std::uint32_t>(wanted);
        ++report_.rows;
        return true;
    }
    const ImportReport& report() const override { return report_; }

    // Makes the tables, which would be made when they are first needed otherwise.
    void solve_all(const std::function<void(std::size_t)>& solved) {
        Rng positions(Seed{1});  // of its own: it must not change which endings come
        for (std::size_t i = 0; i < options_.pieces.size(); ++i) {
            static_cast<void>(label_of(random_position(options_.pieces[i], positions)));
            if (solved) solved(i + 1);
        }
    }

  private:
    Position random_position() {
        return random_position(options_.pieces[rng_.below(options_.pieces.size())], rng_);
    }
    // Of a game that is not over, with either colour's king bare and either side to move.
    static Position random_position(const std::string& pieces, Rng& rng) {
        while (true) {
            chess::Setup setup = chess::random_placement(pieces, rng);
            setup.side_to_move = rng.chance(0.5) ? Color::White : Color::Black;
            const auto position = Position::from(setup);
            if (!position || chess::outcome(*position, chess::Claims::Ignored)) continue;
            return rng.chance(0.5) ? position->color_flipped() : *position;
        }
    }

    // An odd number of plies is the mating side's, an even one the bare king's.
    Score label_of(const Position& position) {
        const auto plies = tables_.plies_to_mate(position);
        if (!plies) return Score::centipawns(0);
        return *plies % 2 == 1 ? Score::mate_in((*plies + 1) / 2) : Score::mated_in(*plies / 2);
    }

    EndingOptions options_;
    Rng rng_;
    chess::MateTables tables_;
    ImportReport report_;
};

}  // namespace

Result<std::unique_ptr<GameSource>> make_ending_source(
    const EndingOptions& options, const std::function<void(std::size_t)>& solved) {
    if (options.pieces.empty()) return fail("no endings are named", "name one, for example R");
    EndingOptions sorted = options;
    for (std::string& pieces : sorted.pieces) {
        auto parsed = chess::MateTables::parse_pieces(pieces);
        if (!parsed) return tl::unexpected(parsed.error());
        pieces = std::move(*parsed);
    }
    auto source = std::make_unique<EndingSource>(sorted);
    source->solve_all(solved);
    return std::unique_ptr<GameSource>(std::move(source));
}

}  // namespace solis::data
