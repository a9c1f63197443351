// Planning: which move to play, found by ranking children along the advantage axis.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "solis/chess/game.h"
#include "solis/chess/tablebase.h"
#include "solis/model/evaluator.h"
#include "solis/planner/deep/tuning.h"
#include "solis/planner/limits.h"
#include "solis/planner/value.h"

namespace solis::planner {

enum class PlanKind {
    Paper,  // the W best children, S plies, min-max
    Deep,   // iterative deepening alpha-beta over latent values
    Puct    // best first, priors from latent scores
};
[[nodiscard]] std::string_view name_of(PlanKind kind);
[[nodiscard]] std::optional<PlanKind> plan_kind_from(std::string_view name);

struct Settings {
    PlanKind kind = PlanKind::Deep;
    Scoring scoring = Scoring::Unanchored;
    int width = 3;  // W of the paper plan
    int plies = 5;  // S of the paper plan
    // Alpha-beta inside the paper plan: the same move and value from fewer embeddings.
    bool prune_paper = true;
    int threads = 1;
    std::size_t hash_megabytes = 64;
    int multipv = 1;
    Milliseconds move_overhead{10};
    // Limits the strength to about this rating; none: full strength.
    std::optional<int> elo{};
    std::uint64_t seed = 0;  // of the mistakes that a limited strength makes
    // Not owned; may be null.
    const chess::Tablebase* tablebase = nullptr;
    DeepTuning deep{};

    static constexpr int kMaxWidth = 256;
    static constexpr int kMaxPlies = 32;
    static constexpr int kMaxThreads = 256;
    static constexpr std::size_t kMaxHashMegabytes = 1 << 20;
    static constexpr int kMinElo = 1300;
    static constexpr int kMaxElo = 2500;
};

enum class Bound { Exact, Lower, Upper };

// One line of play and its worth for the side to move at the root.
struct Line {
    Value value = 0;
    Bound bound = Bound::Exact;
    std::vector<chess::Move> moves{};  // the first is the move the line is about
    int depth = 0;                     // searched so deep, in plies; 0: a latent score only
    int selective_depth = 0;           // the longest line below it, at least `depth`
};

// What a plan did so far.
struct Effort {
    std::uint64_t nodes = 0;       // positions scored: by the encoder, from the cache, by the rules
    std::uint64_t embedded = 0;    // positions that went through the encoder: what a plan costs
    std::uint64_t beam_nodes = 0;  // positions visited: the paper's count
    std::uint64_t tablebase_hits = 0;
    Milliseconds time{0};
    int hash_permille = 0;
};

struct Info {
    int multipv = 1;  // from 1
    Line line;
    Effort effort;
};

// What a plan found out about one root move.
struct RootStatistics {
    chess::Move move;
    Value latent = 0;         // latent score of the position after it, without search
    Value value = 0;          // the last value or bound the plan gave it
    std::uint64_t nodes = 0;  // visited below it
    double prior = 0;         // softmax of the latent scores; 0 in the paper plan
};

// A position in the tree of the paper plan: one of the W best children of its parent.
struct BeamNode {
    std::uint32_t id = 0;  // from 1, in the order of expansion; the root is 0
    std::uint32_t parent = 0;
    int ply = 0;   // from the root
    int rank = 0;  // among the children of its parent, from 1
    chess::Move move;
    Value latent = 0;       // for the side that played the move
    bool finished = false;  // the value is that of the rules or of tablebases
};

// What a node of that tree is worth after all that was searched below it.
struct BeamValue {
    std::uint32_t id = 0;
    Value value = 0;  // for the side that moved there; at the root, for the side to move
    Bound bound = Bound::Exact;
    std::uint32_t best = 0;  // the child it comes from; 0: none, or one that an equal node has
};

// Is told about the progress of a plan, on the thread that called Planner::plan.
class Observer {
  public:
    virtual ~Observer() = default;
    virtual void on_info(const Info& info) = 0;
    // Whether to tell of the tree, which only the paper plan does: all kept children of a node
    // when it is expanded, and each node's value when it is known.
    [[nodiscard]] virtual bool wants_tree() const { return false; }
    virtual void on_beam_node(const BeamNode& /*node*/) {}
    virtual void on_beam_value(const BeamValue& /*value*/) {}
    // In plans of more than a second: the root move that is searched next, counted from 1.
    virtual void on_move(int /*depth*/, chess::Move /*move*/, int /*number*/) {}
};

struct Plan {
    // Best first, as many as Settings::multipv and the moves allow. Empty only without a legal
    // move. Where the search ended inside an iteration, each line says how deep it was searched.
    std::vector<Line> lines;
    int depth = 0;  // of the last iteration that was finished
    Effort effort;
    std::vector<RootStatistics> root;

    // None where there is no legal move.
    [[nodiscard]] chess::Move best() const {
        return lines.empty() ? chess::Move() : lines.front().moves.front();
    }
    // The answer the plan expects; none where it expects none.
    [[nodiscard]] chess::Move ponder() const {
        return lines.empty() || lines.front().moves.size() < 2 ? chess::Move()
                                                               : lines.front().moves[1];
    }
};

// Keeps what it learned (the transposition table) from one plan to the next. One plan at a time.
class Planner {
  public:
    explicit Planner(std::shared_ptr<const model::LoadedModel> model,
                     const Settings& settings = {});
    Planner(Planner&&) noexcept;
    Planner& operator=(Planner&&) noexcept;
    ~Planner();

    [[nodiscard]] const Settings& settings() const;
    // Values out of range are clamped. Another hash size, scoring or tempo forgets the table. Where
    // there is no memory for the hash, settings() tells the smaller size that was taken instead.
    void set(const Settings& settings);
    // Forgets what other plans learned, for a new game.
    void clear_hash();
    [[nodiscard]] const model::LoadedModel& model() const;
    // What the values in plans and infos mean.
    [[nodiscard]] ValueScale scale() const;

    // Plans the next move of `game`, whose history counts for repetition. Returns when a limit is
    // reached or signals.stop() is called; where limits.infinite or limits.ponder is set, never
    // before the signal.
    [[nodiscard]] Plan plan(const chess::Game& game, const Limits& limits, Observer& observer,
                            const Signals& signals);
    // The same without an observer and without signals.
    [[nodiscard]] Plan plan(const chess::Game& game, const Limits& limits);

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace solis::planner
