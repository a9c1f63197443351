// solis.plan: which move to play, with a callback while it thinks.
#include "solis/planner/plan.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include <pybind11/stl.h>

#include "python/src/game.h"
#include "python/src/model.h"
#include "python/src/moves.h"
#include "solis/chess/san.h"

namespace solis::python {
namespace {

using planner::Limits;
using planner::Settings;

// How soon Ctrl-C and the callback are looked after.
constexpr std::chrono::milliseconds kPatience{20};
// Of a plan without any limit, which would not end by itself.
constexpr std::uint64_t kDefaultNodes = 100'000;

// A line and its worth, White's view.
struct PyLine {
    chess::Position root = chess::Position::start();
    std::vector<chess::Move> moves{};
    double p = 0.5;
    planner::WinDrawLoss wdl{};
    int centipawns = 0;
    std::optional<int> mate{};
    std::string bound{};
    int depth = 0;
    int selective_depth = 0;
    std::uint64_t nodes = 0;
    std::shared_ptr<PyModel> model{};
};

struct PyInfo {
    PyLine line;
    int multipv = 1;
    planner::Effort effort;
};

struct PyPlan {
    std::vector<PyLine> lines{};
    int depth = 0;
    planner::Effort effort{};
};

std::vector<chess::Position> positions_of(const PyLine& line) {
    std::vector<chess::Position> positions{line.root};
    for (const chess::Move move : line.moves) positions.push_back(positions.back().after(move));
    return positions;
}

std::vector<std::string> texts_of(const PyLine& line, bool san) {
    std::vector<std::string> texts;
    chess::Position position = line.root;
    for (const chess::Move move : line.moves) {
        texts.push_back(san ? chess::to_san(position, move) : chess::to_uci(position, move));
        position = position.after(move);
    }
    return texts;
}

const char* name_of(planner::Bound bound) {
    switch (bound) {
        case planner::Bound::Lower:
            return "lower";
        case planner::Bound::Upper:
            return "upper";
        case planner::Bound::Exact:
            break;
    }
    return "exact";
}

// One search on a thread of its own, so that this one can answer Python meanwhile.
class Search final : private planner::Observer {
  public:
    Search(std::shared_ptr<PyModel> model, chess::Game game, Settings settings, Limits limits)
        : model_(std::move(model)),
          game_(std::move(game)),
          limits_(std::move(limits)),
          planner_(model_->shared(), settings) {}
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    ~Search() override { stop_and_join(); }

    PyPlan run(const py::object& callback) {
        thread_ = std::thread([this] { think(); });
        std::deque<planner::Info> news;
        for (bool done = false; !done;) {
            {
                const py::gil_scoped_release release;
                std::unique_lock lock(mutex_);
                changed_.wait_for(lock, kPatience, [&] { return done_ || !news_.empty(); });
                done = done_;
                news.swap(news_);
            }
            check_signals();
            for (const planner::Info& info : news) tell(callback, info);
            news.clear();
        }
        stop_and_join();
        if (failure_) std::rethrow_exception(failure_);
        check(model_->loaded().status());
        return result();
    }

  private:
    void think() {
        try {
            plan_ = planner_.plan(game_, limits_, *this, signals_);
        } catch (...) {
            failure_ = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        done_ = true;
        changed_.notify_one();
    }
    void on_info(const planner::Info& info) override {
        const std::lock_guard lock(mutex_);
        news_.push_back(info);
        changed_.notify_one();
    }
    void tell(const py::object& callback, const planner::Info& info) {
        if (callback.is_none()) return;
        const py::object answer =
            callback(PyInfo{to_line(info.line, nullptr), info.multipv, info.effort});
        if (answer.is(py::bool_(false))) signals_.stop();
    }
    void stop_and_join() {
        if (!thread_.joinable()) return;
        signals_.stop();
        const py::gil_scoped_release release;
        thread_.join();
    }
    [[nodiscard]] PyLine to_line(const planner::Line& line, const planner::Plan* plan) const {
        const planner::ValueScale scale = planner_.scale();
        const chess::Color mover = game_.position().side_to_move();
        const bool white = mover == chess::Color::White;
        PyLine out{.root = game_.position(), .moves = line.moves};
        const double p = scale.win_probability(line.value, mover);
        out.p = white ? p : 1 - p;
        out.wdl = scale.win_draw_loss(line.value, mover);
        if (!white) std::swap(out.wdl.win, out.wdl.loss);
        out.centipawns = (white ? 1 : -1) * scale.centipawns(line.value, mover);
        if (const auto mate = planner::mate_distance(line.value)) {
            out.mate = white ? *mate : -*mate;
        }
        out.bound = name_of(line.bound);
        out.depth = line.depth;
        out.selective_depth = line.selective_depth;
        out.model = model_;
        if (plan == nullptr || line.moves.empty()) return out;
        for (const planner::RootStatistics& move : plan->root) {
            if (move.move == line.moves.front()) out.nodes = move.nodes;
        }
        return out;
    }
    [[nodiscard]] PyPlan result() const {
        PyPlan out;
        for (const planner::Line& line : plan_.lines) out.lines.push_back(to_line(line, &plan_));
        out.depth = plan_.depth;
        out.effort = plan_.effort;
        return out;
    }

    std::shared_ptr<PyModel> model_;
    chess::Game game_;
    Limits limits_;
    planner::Planner planner_;
    planner::Signals signals_;
    planner::Plan plan_;
    std::exception_ptr failure_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<planner::Info> news_;
    bool done_ = false;
    std::thread thread_;
};

// What keyword arguments may say.
struct Wishes {
    std::optional<std::uint64_t> nodes, embeddings;
    std::optional<int> depth, movetime, mate;
    std::vector<std::string> moves;
};

Limits limits_of(const Wishes& wishes, const chess::Position& root, planner::PlanKind kind) {
    Limits limits;
    limits.nodes = wishes.nodes;
    limits.embeddings = wishes.embeddings;
    if (wishes.depth) check_range("depth", *wishes.depth, 1, planner::kMaxPly);
    if (wishes.mate) check_range("mate", *wishes.mate, 1, planner::kMaxPly);
    if (wishes.movetime) check_range("movetime", *wishes.movetime, 0, 1'000'000'000);
    limits.depth = wishes.depth;
    limits.mate = wishes.mate;
    if (wishes.movetime) limits.movetime = planner::Milliseconds(*wishes.movetime);
    const bool ends = limits.nodes || limits.embeddings || limits.depth || limits.movetime ||
                      kind == planner::PlanKind::Paper;
    if (!ends) limits.nodes = kDefaultNodes;
    for (const std::string& move : wishes.moves) {
        limits.search_moves.push_back(to_move(root, move));
    }
    return limits;
}

struct SettingWishes {
    std::string plan = "deep";
    int width, plies, multipv, threads, hash;
    std::optional<int> elo;
    std::uint64_t seed;
};

Settings settings_of(const SettingWishes& wishes) {
    const auto kind = planner::plan_kind_from(wishes.plan);
    if (!kind) raise("there is no plan '" + wishes.plan + "'", "'deep', 'paper' or 'puct'");
    check_range("width", wishes.width, 1, Settings::kMaxWidth);
    check_range("plies", wishes.plies, 1, Settings::kMaxPlies);
    check_range("multipv", wishes.multipv, 1, Settings::kMaxWidth);
    check_range("threads", wishes.threads, 1, Settings::kMaxThreads);
    check_range("hash", wishes.hash, 1, static_cast<int>(Settings::kMaxHashMegabytes));
    if (wishes.elo) check_range("elo", *wishes.elo, Settings::kMinElo, Settings::kMaxElo);
    Settings settings;
    settings.kind = *kind;
    settings.width = wishes.width;
    settings.plies = wishes.plies;
    settings.multipv = wishes.multipv;
    settings.threads = wishes.threads;
    settings.hash_megabytes = static_cast<std::size_t>(wishes.hash);
    settings.elo = wishes.elo;
    settings.seed = wishes.seed;
    return settings;
}

void bind_line(py::module_& module) {
    py::class_<PyLine>(module, "Line", py::is_final(),
                       "A line of play and its worth, White's view.")
        .def_property_readonly(
            "moves", [](const PyLine& l) { return texts_of(l, false); }, "In UCI notation.")
        .def_property_readonly(
            "san", [](const PyLine& l) { return texts_of(l, true); },
            "In standard algebraic notation.")
        .def_property_readonly("positions", &positions_of,
                               "The root and the position after each move.")
        .def_readonly("p", &PyLine::p, "White's win probability.")
        .def_property_readonly(
            "wdl",
            [](const PyLine& l) { return py::make_tuple(l.wdl.win, l.wdl.draw, l.wdl.loss); },
            "Probabilities that White wins, of a draw, that Black wins.")
        .def_readonly("centipawns", &PyLine::centipawns, "What p stands for, White's view.")
        .def_readonly("mate", &PyLine::mate,
                      "Moves until mate, negative where Black mates; None without a mate.")
        .def_readonly("bound", &PyLine::bound, "'exact', 'lower' or 'upper', for the mover.")
        .def_readonly("depth", &PyLine::depth, "In plies.")
        .def_readonly("selective_depth", &PyLine::selective_depth, "The longest line below it.")
        .def_readonly("nodes", &PyLine::nodes,
                      "Positions visited below its first move; 0 inside a callback.")
        .def_property_readonly(
            "embeddings", [](const PyLine& l) { return embed_array(*l.model, positions_of(l), 1); },
            "Embeddings of positions, computed when asked for: (len(moves) + 1) x dims.")
        .def("__repr__", [](const PyLine& l) {
            std::string text = "<solis.Line";
            for (const std::string& move : texts_of(l, true)) text += " " + move;
            return text + ", p " + std::to_string(l.p) + ">";
        });
}

template <class T, class Get>
void bind_effort(py::class_<T>& type, const Get& effort) {
    type.def_property_readonly(
            "nodes", [effort](const T& t) { return effort(t).nodes; },
            "Positions scored, by the encoder, from the cache or by the rules.")
        .def_property_readonly(
            "embedded", [effort](const T& t) { return effort(t).embedded; },
            "Positions that went through the encoder.")
        .def_property_readonly(
            "beam_nodes", [effort](const T& t) { return effort(t).beam_nodes; },
            "Positions visited: the paper's count.")
        .def_property_readonly(
            "time",
            [effort](const T& t) { return static_cast<double>(effort(t).time.count()) / 1e3; },
            "In seconds.");
}

void bind_results(py::module_& module) {
    py::class_<PyInfo> info(module, "PlanInfo", py::is_final(), "What a callback is told.");
    info.def_readonly("line", &PyInfo::line)
        .def_readonly("multipv", &PyInfo::multipv, "Rank of the line, from 1.")
        .def_property_readonly("depth", [](const PyInfo& i) { return i.line.depth; });
    bind_effort(info, [](const PyInfo& i) { return i.effort; });
    py::class_<PyPlan> plan(module, "Plan", py::is_final(), "What a plan found.");
    plan.def_readonly("lines", &PyPlan::lines, "Best first; empty without a legal move.")
        .def_readonly("depth", &PyPlan::depth, "Of the last iteration that was finished.")
        .def_property_readonly(
            "best",
            [](const PyPlan& p) -> std::optional<std::string> {
                if (p.lines.empty()) return std::nullopt;
                return chess::to_uci(p.lines[0].root, p.lines[0].moves.at(0));
            },
            "The move to play in UCI notation, None without a legal move.")
        .def("__repr__", [](const PyPlan& p) {
            if (p.lines.empty()) return std::string("<solis.Plan without a legal move>");
            return "<solis.Plan " + texts_of(p.lines[0], true).at(0) + ", p " +
                   std::to_string(p.lines[0].p) + ", depth " + std::to_string(p.depth) + ">";
        });
    bind_effort(plan, [](const PyPlan& p) { return p.effort; });
}

}  // namespace

void bind_plans(py::module_& module) {
    bind_line(module);
    bind_results(module);
    module.def(
        "plan",
        [](const py::object& position, const std::string& plan, std::optional<std::uint64_t> nodes,
           std::optional<int> depth, std::optional<int> movetime,
           std::optional<std::uint64_t> embeddings, std::optional<int> mate, int width, int plies,
           int multipv, int threads, int hash, std::optional<int> elo, std::uint64_t seed,
           std::vector<std::string> moves, const py::object& model, const py::object& callback) {
            if (!callback.is_none() && PyCallable_Check(callback.ptr()) == 0) {
                throw py::type_error("callback cannot be called");
            }
            chess::Game game = to_game(position);
            const Settings settings =
                settings_of({plan, width, plies, multipv, threads, hash, elo, seed});
            Limits limits = limits_of({nodes, embeddings, depth, movetime, mate, std::move(moves)},
                                      game.position(), settings.kind);
            Search search(to_model(model), std::move(game), settings, std::move(limits));
            return search.run(callback);
        },
        py::arg("position"), py::arg("plan") = "deep", py::kw_only(), py::arg("nodes") = py::none(),
        py::arg("depth") = py::none(), py::arg("movetime") = py::none(),
        py::arg("embeddings") = py::none(), py::arg("mate") = py::none(), py::arg("width") = 3,
        py::arg("plies") = 5, py::arg("multipv") = 1, py::arg("threads") = 1, py::arg("hash") = 16,
        py::arg("elo") = py::none(), py::arg("seed") = 0,
        py::arg("moves") = std::vector<std::string>(), py::arg("model") = py::none(),
        py::arg("callback") = py::none(),
        "Plans the next move of a Position, FEN or Game, whose history counts for repetition.\n\n"
        "plan is 'deep', 'paper' or 'puct'. Limits: nodes, depth (plies), movetime "
        "(milliseconds), embeddings, mate (moves); without one deep and puct take 100,000 nodes. "
        "width and plies are W and S of the paper plan. callback(PlanInfo) is called for each "
        "depth and line; it ends the plan by returning False. Ctrl-C raises KeyboardInterrupt.");
}

}  // namespace solis::python
