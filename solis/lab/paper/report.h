// Every table and figure of the paper on one page, in its order and layout: what is printed there,
// what was measured here, and what cannot be compared.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "solis/chess/position.h"
#include "solis/lab/paper/depth_report.h"
#include "solis/lab/paper/ladder_report.h"

namespace solis::lab {

// A row of the table of models.
struct ReportModel {
    std::string name;
    std::string layers, dims, heads, mlp, parameters;
};

// A row of the table of hyperparameters.
struct ReportSetting {
    std::string name, printed, ours;
};

// A move of the overview: how the top of a plan looks in a position.
struct ReportCandidate {
    std::string san;
    double score = 0;
};

// A game in the layout of the paper's appendix.
struct ReportGame {
    std::string title;    // who played whom, and how it ended
    std::string caption;  // what happened at the critical moment
    std::string moves;    // "1. e4 e5 2. Nf3"
    chess::Position critical = chess::Position::start();
    chess::Move played;  // there
};

struct ReportCommand {
    std::string what, command;
};

struct PaperReport {
    std::string model;       // "default (swift, 32 dimensions, 0123456789abcdef)"
    std::string conditions;  // what differs from the paper's, for people
    std::vector<ReportModel> models;
    std::vector<ReportSetting> settings;
    // HTML: an <svg> or an <img> whose data is inside.
    std::string map, paths;
    std::size_t legal_moves = 0;  // of the overview's position
    std::vector<ReportCandidate> candidates;
    std::vector<RatedColumn> ladder;
    std::vector<DepthMatch> matches;
    std::vector<ReportGame> printed_games;  // A to I
    std::vector<ReportGame> ladder_games, depth_games;
    std::vector<ReportCommand> commands;
};

// One file that loads nothing, light and dark.
[[nodiscard]] Result<std::string> report_html(const PaperReport& report);

// A figure of Elo over depth, ours and the paper's, one panel per model of the paper.
[[nodiscard]] std::string elo_figure(std::span<const RatedColumn> columns, Scoring scoring);

}  // namespace solis::lab
