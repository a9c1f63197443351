// Held-out positions, best moves and siblings from stores and other sources.
#include "solis/train/validation_set.h"

#include <algorithm>
#include <cstdlib>

#include "solis/base/rng.h"
#include "solis/chess/movegen.h"
#include "solis/data/sampler.h"
#include "solis/train/batches.h"

namespace solis::train {
namespace {

// A move after which the engine's view worsens by more than this was not its best.
constexpr int kBestMoveTolerance = 15;
// In won and lost positions nearly every move is "best".
constexpr int kUndecided = 600;
// With a teacher: positions labelled for each that is drawn.
constexpr std::uint64_t kPoolPerPosition = 4;

bool is_best_move(data::Score before, data::Score after) {
    if (before.is_none() || after.is_none() || std::abs(before.value()) > kUndecided) return false;
    return -after.value() >= before.value() - kBestMoveTolerance;
}

MoveQuestion make_question(const chess::Position& position, chess::Move best) {
    MoveQuestion question;
    for (const chess::Move move : chess::legal_moves(position)) {
        if (move == best) question.best = question.children.size();
        question.children.push_back(position.after(move));
    }
    return question;
}

void add_questions(const data::LabelledGame& game, std::size_t most,
                   std::vector<MoveQuestion>& questions) {
    chess::Position position = game.start;
    for (std::size_t i = 1; i < game.line.size() && questions.size() < most; ++i) {
        const data::Ply& ply = game.line[i];
        // Every eighth move: neighbours in a game ask nearly the same question.
        if (i % 8 == 1 && is_best_move(game.line[i - 1].score, ply.score)) {
            questions.push_back(make_question(position, ply.move));
        }
        position = position.after(ply.move);
    }
}

// Every eighth position of the line, too, with those of its children that have a label.
void add_siblings(const data::LabelledGame& game, std::size_t most,
                  std::vector<SiblingQuestion>& siblings) {
    data::SiblingSet set;
    std::size_t met = 0;
    data::visit_items(game, set, [&](const data::SiblingSet& item) {
        const bool is_taken = siblings.size() < most && met++ % 8 == 0 && item.children.size() > 1;
        if (!is_taken) return;
        SiblingQuestion question;
        for (const data::SiblingSet::Child& child : item.children) {
            question.children.push_back(item.position.after(child.move));
            question.labels.push_back(static_cast<float>(child.score.win_probability()));
        }
        siblings.push_back(std::move(question));
    });
}

// As many from each store, and from later ones what earlier ones lack. A teacher, where the options
// have one, labels the games first.
Result<void> load_questions(const TrainConfig& config, const data::SamplerOptions& options,
                            ValidationSet& set) {
    const auto judge = options.teacher != nullptr ? options.teacher->make_judge() : nullptr;
    const auto all = static_cast<std::size_t>(config.validation.moves);
    for (std::size_t i = 0; i < config.data.stores.size(); ++i) {
        auto file = data::StoreFile::open(config.data.stores[i]);
        if (!file) return tl::unexpected(file.error());
        data::StoreSource source(std::move(*file), options.on_damage, options.split,
                                 options.shares);
        const std::size_t most = all * (i + 1) / config.data.stores.size();
        data::LabelledGame game;
        while (set.questions.size() < most || set.siblings.size() < most) {
            const auto more = source.next(game);
            if (!more) return tl::unexpected(more.error());
            if (!*more) break;
            if (judge != nullptr) {
                data::label_game(game, options.children, Seed{data::game_identity(game)}, *judge);
            }
            add_questions(game, most, set.questions);
            add_siblings(game, most, set.siblings);
        }
    }
    return {};
}

bool is_quiet(const chess::Position& position) {
    return !position.in_check() && chess::legal_captures(position).empty();
}

void add_position(const TrainConfig& config, const data::Sample& sample, ValidationSet& set) {
    set.positions.push_back(sample.position);
    set.labels.push_back(static_cast<float>(sample.mover_probability()));
    set.aims.push_back(training_label(config, sample.label.score));
    set.centipawns.push_back(sample.label.score.value());
    set.quiet.push_back(is_quiet(sample.position) ? 1 : 0);
    set.kinds.push_back(sample.label.kind);
}

}  // namespace

Result<ValidationSet> ValidationSet::load(const TrainConfig& config,
                                          std::optional<data::Split> split) {
    ValidationSet set;
    data::SamplerOptions options;
    options.split = split;
    options.shares = split_shares(config);
    options.prefetch = false;
    options.on_damage = on_damage(config);
    if (auto ok = add_teacher(config, options); !ok) return tl::unexpected(ok.error());
    const auto wanted = static_cast<std::uint64_t>(config.validation.positions);
    // Whole pools are labelled: enough games to draw from, and no more.
    if (options.teacher != nullptr) options.pool_items = kPoolPerPosition * wanted;
    const std::vector<std::filesystem::path> stores(config.data.stores.begin(),
                                                    config.data.stores.end());
    auto sampler = data::PositionSampler::open(stores, options);
    if (!sampler) return fail_in("validation", sampler.error());
    std::vector<data::Sample> drawn(std::min(wanted, sampler->size()));
    if (auto ok = sampler->next(drawn); !ok) return tl::unexpected(ok.error());
    set.skipped = sampler->report();
    for (const data::Sample& sample : drawn) add_position(config, sample, set);
    if (auto ok = load_questions(config, options, set); !ok) return tl::unexpected(ok.error());
    return set;
}

Result<ValidationSet> ValidationSet::draw(data::GameSource& games, const TrainConfig& config) {
    ValidationSet set;
    const auto wanted = static_cast<std::size_t>(config.validation.positions);
    const auto moves = static_cast<std::size_t>(config.validation.moves);
    Rng rng(Seed{static_cast<std::uint64_t>(config.run.seed)});
    std::vector<data::Sample> drawn;
    std::uint64_t met = 0;
    data::Sample scratch;
    // Reservoir sampling: the n-th position replaces one of those kept with probability kept / n.
    const auto meet = [&](const data::Sample& sample) {
        const std::uint64_t place = drawn.size() < wanted ? drawn.size() : rng.below(met + 1);
        ++met;
        if (place >= wanted) return;
        if (place == drawn.size()) {
            drawn.push_back(sample);
        } else {
            drawn[place] = sample;
        }
    };
    data::LabelledGame game;
    while (true) {
        const auto more = games.next(game);
        if (!more) return tl::unexpected(more.error());
        if (!*more) break;
        data::visit_items(game, scratch, meet);
        add_questions(game, moves, set.questions);
        add_siblings(game, moves, set.siblings);
    }
    if (drawn.empty()) {
        return fail("no labelled position to measure on",
                    "label the games first: solis label --from FILE --out STORE");
    }
    for (const data::Sample& sample : drawn) add_position(config, sample, set);
    set.skipped = games.report();
    return set;
}

ValidationSet ValidationSet::only(std::span<const std::size_t> numbers) const {
    ValidationSet set;
    for (const std::size_t i : numbers) {
        set.positions.push_back(positions[i]);
        set.labels.push_back(labels[i]);
        set.aims.push_back(aims[i]);
        set.centipawns.push_back(centipawns[i]);
        set.quiet.push_back(quiet[i]);
        set.kinds.push_back(kinds[i]);
    }
    return set;
}

}  // namespace solis::train
