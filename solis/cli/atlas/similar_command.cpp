// solis similar: the positions of games that are nearest to a given one in the latent space.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "solis/analysis/space/similar_index.h"
#include "solis/base/byte_source.h"
#include "solis/base/file.h"
#include "solis/chess/fen.h"
#include "solis/chess/san.h"
#include "solis/cli/atlas/atlas_options.h"
#include "solis/cli/commands.h"

namespace solis::cli {
namespace {

using Json = nlohmann::ordered_json;
using analysis::SimilarIndex;
using analysis::SimilarPosition;
using analysis::SpaceModel;

struct SimilarCommand {
    std::vector<std::string> fen;
    std::string input;
    std::string index;
    SpaceOptions space;
    std::uint64_t count = 10;
    std::uint64_t most = 5'000'000;
    bool rebuild = false;
    bool json = false;
};

// The saved index where it is of this model and input, otherwise a new one, which is saved.
Result<SimilarIndex> obtain_index(const SimilarCommand& command, const SpaceModel& model,
                                  ThreadPool& pool, const analysis::Listener& listener,
                                  Console& console) {
    const std::string path = command.index.empty() ? command.input + ".similar" : command.index;
    std::error_code ignored;
    if (!command.rebuild && std::filesystem::exists(path, ignored)) {
        const auto bytes = read_regular_file(path);
        if (!bytes) return tl::unexpected(bytes.error());
        auto index = analysis::parse_index_file(*bytes);
        if (!index) {
            return fail(fmt::format("'{}': {}", path, index.error().message),
                        "remove the file, or give --rebuild");
        }
        if (index->space == model.hash() &&
            index->source == analysis::file_fingerprint(command.input)) {
            console.note("index {}", path);
            return index;
        }
        console.note("the index {} is of another model or input and is made again", path);
    }
    auto index = analysis::build_similar_index(command.input, command.most, model, pool, listener);
    if (!index) return index;
    if (auto ok = write_file_atomically(path, analysis::to_index_file(*index)); !ok) {
        console.warn(fmt::format("the index is not kept: {}", ok.error().message));
    } else {
        console.note("wrote {}", path);
    }
    return index;
}

std::string text_of_move(const SimilarIndex& index, std::size_t row) {
    const chess::Position position = index.position(row);
    const chess::Move move = index.played(row);
    if (move.is_none()) return "end";
    const bool white = position.side_to_move() == chess::Color::White;
    return fmt::format("{}{}{}", position.fullmove_number(), white ? "." : "...",
                       chess::to_san(position, move));
}

std::string name_of_game(const SimilarIndex& index, std::size_t row) {
    const std::uint32_t number = index.rows[row].game;
    const std::string& name = index.games[number].name;
    return fmt::format("game {}{}{}", number + 1, name.empty() ? "" : ": ", name);
}

void print_similar(const SimilarCommand& command, const SimilarIndex& index,
                   const chess::Position& asked, const std::vector<SimilarPosition>& found,
                   const SpaceModel& model, ThreadPool& pool, Console& console) {
    Json list = Json::array();
    if (!command.json) {
        console.print("{} among {} positions of {} games\n", chess::to_fen(asked),
                      index.rows.size(), index.games.size());
    }
    for (const SimilarPosition& one : found) {
        const chess::Position position = index.position(one.row);
        const auto z = std::span(index.points).subspan(one.row * index.dims, index.dims);
        const double p = model.win_probabilities(z, {&position, 1}, pool)[0];
        const auto result =
            static_cast<chess::GameResult>(index.games[index.rows[one.row].game].result);
        if (command.json) {
            list.push_back({{"fen", chess::to_fen(position)},
                            {"similarity", one.similarity},
                            {"win_probability", p},
                            {"played", text_of_move(index, one.row)},
                            {"game", index.rows[one.row].game + 1},
                            {"name", index.games[index.rows[one.row].game].name},
                            {"result", chess::to_string(result)},
                            {"ply", index.rows[one.row].ply}});
            continue;
        }
        console.print("  {:.4f}  White wins {:5.1f} %  {:<10} {:<7}  {}\n          {}\n",
                      one.similarity, 100 * p, text_of_move(index, one.row),
                      chess::to_string(result), name_of_game(index, one.row),
                      chess::to_fen(position));
    }
    if (command.json) {
        print_json(console, {{"fen", chess::to_fen(asked)},
                             {"positions", index.rows.size()},
                             {"games", index.games.size()},
                             {"similar", std::move(list)}});
    }
}

ExitCode run_similar(const SimilarCommand& command, Console& console) {
    const auto position = position_of(command.fen);
    if (!position) return console.error(position.error());
    const auto model = open_space(command.space);
    if (!model) return console.error(model.error());
    StageProgress progress(console);
    ThreadPool pool(static_cast<std::size_t>(command.space.threads));
    const auto index = obtain_index(command, *model, pool, progress.listener(), console);
    const std::vector<float> z = model->embed({&*position, 1}, pool);
    if (auto ok = model->model().status(); !ok) return console.error(ok.error());
    if (!index) return report_failure(console, index.error());
    print_similar(command, *index, *position,
                  analysis::most_similar(*index, z, command.count, pool), *model, pool, console);
    return ExitCode::Ok;
}

}  // namespace

void add_similar(Command& parent, Session& session) {
    const auto options = std::make_shared<SimilarCommand>();
    Command* command =
        parent.add_subcommand("similar", "positions of games nearest to one in the latent space");
    add_position_argument(*command, options->fen);
    command->add_option("--in", options->input, "PGN, store, or any dataset")->required();
    command->add_option("--index", options->index,
                        "where the index is kept (default: the input's name and .similar)");
    command->add_flag("--rebuild", options->rebuild, "make the index again");
    command->add_option("-n,--count", options->count, "positions to show")
        ->range(1, 100'000)
        ->capture_default_str();
    command->add_option("--most", options->most, "positions to index at most")
        ->range(1, 200'000'000)
        ->capture_default_str();
    add_space_options(*command, options->space);
    add_json_flag(*command, options->json);
    command->callback(
        [options, &session] { session.exit_code = run_similar(*options, session.console); });
}

}  // namespace solis::cli
