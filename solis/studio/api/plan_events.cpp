// Plans as events.
#include <algorithm>

#include "solis/chess/san.h"
#include "solis/studio/api/plan.h"
#include "solis/studio/think/events.h"

namespace solis::studio {
namespace {

using planner::Bound;

std::string_view bound_name(Bound bound) {
    if (bound == Bound::Exact) return "exact";
    return bound == Bound::Lower ? "lower" : "upper";
}

// Nodes per second; 0 where no time has passed.
std::uint64_t speed(const planner::Effort& effort) {
    const auto ms = static_cast<std::uint64_t>(std::max<std::int64_t>(effort.time.count(), 0));
    return ms == 0 ? 0 : effort.nodes * 1000 / ms;
}

}  // namespace

double WhiteView::p(planner::Value value) const {
    const double for_mover = scale.win_probability(value, mover);
    return mover == chess::Color::White ? for_mover : 1 - for_mover;
}

void WhiteView::add_to(Json& json, planner::Value value) const {
    const bool white = mover == chess::Color::White;
    const planner::WinDrawLoss wdl = scale.win_draw_loss(value, mover);
    json["p"] = rounded(p(value));
    json["wdl"] = {rounded(white ? wdl.win : wdl.loss), rounded(wdl.draw),
                   rounded(white ? wdl.loss : wdl.win)};
    json["cp"] = (white ? 1 : -1) * scale.centipawns(value, mover);
    if (const auto mate = planner::mate_distance(value)) json["mate"] = white ? *mate : -*mate;
}

PlanWriter::PlanWriter(const PlanRequest& request, const planner::ValueScale& scale)
    : request_(request), scale_(scale), drawn_{{request.game.game.position(), 0}} {}

// Values of a node are those of the side that moved there; at the root, of the side to move.
WhiteView PlanWriter::view_of_ply(int ply) const {
    const chess::Color mover = request_.game.game.position().side_to_move();
    return {scale_, ply == 0 || ply % 2 == 1 ? mover : ~mover};
}

Json PlanWriter::line_json(const planner::Line& line, int rank) const {
    Json json{{"rank", rank}, {"depth", line.depth}, {"selective_depth", line.selective_depth}};
    view_of_ply(0).add_to(json, line.value);
    json["bound"] = bound_name(line.bound);
    Json uci = Json::array(), san = Json::array();
    chess::Position position = request_.game.game.position();
    for (const chess::Move move : line.moves) {
        uci.push_back(request_.game.notation.uci(position, move));
        san.push_back(chess::to_san(position, move));
        position = position.after(move);
    }
    json["uci"] = std::move(uci);
    json["san"] = std::move(san);
    return json;
}

Json PlanWriter::info_json(const std::vector<planner::Info>& infos) const {
    const auto newest = std::max_element(
        infos.begin(), infos.end(),
        [](const auto& a, const auto& b) { return a.effort.nodes < b.effort.nodes; });
    const planner::Effort& effort = newest->effort;
    Json lines = Json::array();
    int depth = 0;
    for (const planner::Info& info : infos) {
        lines.push_back(line_json(info.line, static_cast<int>(lines.size()) + 1));
        depth = std::max(depth, info.line.depth);
    }
    return {{"depth", depth},
            {"nodes", effort.nodes},
            {"embeddings", effort.embedded},
            {"visited", effort.beam_nodes},
            {"time", effort.time.count()},
            {"nps", speed(effort)},
            {"hash", effort.hash_permille},
            {"lines", std::move(lines)}};
}

Json PlanWriter::tree_json(const News& news) {
    Json nodes = Json::array(), values = Json::array();
    for (const planner::BeamNode& node : news.nodes) {
        const chess::Position& before = drawn_[node.parent].position;
        Json json{{"id", node.id}, {"parent", node.parent}, {"ply", node.ply}, {"rank", node.rank}};
        json.update(request_.game.notation.move(before, node.move));
        json["p"] = rounded(view_of_ply(node.ply).p(node.latent));
        json["score"] = node.latent;
        json["finished"] = node.finished;
        nodes.push_back(std::move(json));
        drawn_.push_back({before.after(node.move), node.ply});
    }
    for (const planner::BeamValue& value : news.values) {
        if (value.id >= drawn_.size()) continue;
        values.push_back({{"id", value.id},
                          {"p", rounded(view_of_ply(drawn_[value.id].ply).p(value.value))},
                          {"value", value.value},
                          {"bound", bound_name(value.bound)},
                          {"best", value.best}});
    }
    return {{"nodes", std::move(nodes)},
            {"values", std::move(values)},
            {"truncated", news.tree_truncated}};
}

std::string PlanWriter::events(const News& news) {
    std::string text;
    if (!news.nodes.empty() || !news.values.empty() || news.tree_truncated) {
        text += event_text("tree", json_text(tree_json(news)));
    }
    if (!news.infos.empty()) text += event_text("info", json_text(info_json(news.infos)));
    if (news.current) {
        const chess::Position& root = request_.game.game.position();
        Json json{{"depth", news.current->depth}};
        json.update(request_.game.notation.move(root, news.current->move));
        json["number"] = news.current->number;
        text += event_text("current", json_text(json));
    }
    return text;
}

Json PlanWriter::done_json(const planner::Plan& plan, std::string_view reason) const {
    const chess::Position& root = request_.game.game.position();
    const Notation& notation = request_.game.notation;
    Json json{{"best", nullptr}, {"ponder", nullptr}, {"p", nullptr}, {"reason", reason}};
    if (!plan.lines.empty()) {
        json["best"] = notation.move(root, plan.best(), true);
        if (plan.lines.front().moves.size() > 1) {
            json["ponder"] = notation.move(root.after(plan.best()), plan.lines.front().moves[1]);
        }
        json["p"] = rounded(view_of_ply(0).p(plan.lines.front().value));
    }
    std::vector<planner::Info> infos;
    for (const planner::Line& line : plan.lines) {
        infos.push_back({static_cast<int>(infos.size()) + 1, line, plan.effort});
    }
    json["info"] = infos.empty() ? Json() : info_json(infos);
    Json moves = Json::array();
    for (const planner::RootStatistics& move : plan.root) {
        Json entry = notation.move(root, move.move);
        entry["p"] = rounded(view_of_ply(0).p(move.value));
        entry["latent"] = rounded(view_of_ply(0).p(move.latent));
        entry["nodes"] = move.nodes;
        entry["prior"] = rounded(move.prior);
        moves.push_back(std::move(entry));
    }
    json["root"] = std::move(moves);
    return json;
}

}  // namespace solis::studio
