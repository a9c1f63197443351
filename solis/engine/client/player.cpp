// Loads, opens and closes what the options name.
#include "solis/engine/client/player.h"

#include <new>
#include <utility>

#include <fmt/format.h>

#include "solis/base/available_memory.h"
#include "solis/model/open.h"

namespace solis::engine {

planner::Settings Player::settings() const {
    planner::Settings settings;
    settings.kind = planner::plan_kind_from(options_.plan).value_or(settings.kind);
    settings.scoring =
        options_.scoring == "Anchored" ? planner::Scoring::Anchored : planner::Scoring::Unanchored;
    settings.width = options_.width;
    settings.plies = options_.depth;
    settings.threads = options_.threads;
    settings.hash_megabytes = static_cast<std::size_t>(options_.hash);
    settings.multipv = options_.multi_pv;
    settings.move_overhead = planner::Milliseconds(options_.move_overhead);
    if (options_.limit_strength) settings.elo = options_.elo;
    settings.seed = game_seed_;
    settings.tablebase = tablebase_ ? &*tablebase_ : nullptr;
    return settings;
}

std::vector<Error> Player::apply(const EngineOptions& options) {
    const EngineOptions old = std::exchange(options_, options);
    std::vector<Error> errors;
    const auto note = [&](Result<void> result) {
        if (!result) errors.push_back(result.error());
    };
    if (options.hash != old.hash) {
        note(check_hash(options.hash, old.hash));
        if (!errors.empty()) options_.hash = old.hash;
    }
    if (options.syzygy_path != old.syzygy_path) note(open_tablebase(options.syzygy_path));
    if (options.book_file != old.book_file) note(open_book(options.book_file));
    if (options.weights_file != old.weights_file ||
        options.encoder_command != old.encoder_command) {
        note(load(options));
    }
    if (planner_) planner_->set(settings());
    return errors;
}

Result<void> Player::check_hash(int megabytes, int present) const {
    // A table takes memory only where it is written to, so that the system would grant one that it
    // cannot fill, and end the engine in the middle of a game. Some memory is left to others.
    constexpr std::uint64_t kMegabyte = 1 << 20;
    constexpr std::uint64_t kLeftFree = 64;
    if (megabytes <= present) return {};
    const auto free = available_memory();
    if (!free) return {};
    const std::uint64_t most = *free / kMegabyte * 19 / 20;
    if (static_cast<std::uint64_t>(megabytes) + kLeftFree <= most) return {};
    return fail(fmt::format("no memory for a hash of {} MiB: {} MiB are free", megabytes,
                            *free / kMegabyte),
                fmt::format("the hash stays at {} MiB; set a smaller one", present));
}

Result<void> Player::load(const EngineOptions& options) {
    // A process plays with the file that has its axis: the one waits for the other.
    if (!options.encoder_command.empty() && options.weights_file.empty()) return {};
    auto ready = model::open_from({options.weights_file, options.encoder_command});
    if (!ready) return tl::unexpected(ready.error());
    planner_.reset();
    model_ = std::move(*ready);
    return {};
}

Result<void> Player::open_tablebase(const std::string& path) {
    // The planner points to the open one, and only one can be open at a time.
    tablebase_.reset();
    if (planner_) planner_->set(settings());
    if (path.empty()) return {};
    auto opened = chess::Tablebase::open(path);
    if (!opened) return fail_in("SyzygyPath", opened.error());
    tablebase_.emplace(std::move(*opened));
    return {};
}

Result<void> Player::open_book(const std::string& path) {
    book_.reset();
    if (path.empty()) return {};
    auto opened = chess::OpeningBook::open(path);
    if (!opened) return fail_in("BookFile", opened.error());
    book_.emplace(std::move(*opened));
    return {};
}

Result<std::shared_ptr<const model::LoadedModel>> Player::model() {
    if (!options_.encoder_command.empty() && options_.weights_file.empty()) {
        return fail("EncoderCommand is set and WeightsFile is not",
                    "set it to the file that solis axis made for this encoder");
    }
    if (!model_) {
        if (auto loaded = load({}); !loaded) return tl::unexpected(loaded.error());
    }
    if (auto ok = model_->status(); !ok) return tl::unexpected(ok.error());
    return model_;
}

Result<planner::Planner*> Player::planner() {
    if (auto ready = model(); !ready) return tl::unexpected(ready.error());
    if (!planner_) {
        try {
            planner_ = std::make_unique<planner::Planner>(model_, settings());
        } catch (const std::bad_alloc&) {
            return fail("out of memory", "set a smaller Hash or fewer Threads");
        }
    }
    return planner_.get();
}

void Player::new_game() {
    game_seed_ = rng_.next();
    if (!planner_) return;
    planner_->clear_hash();
    planner_->set(settings());
}

std::optional<chess::Move> Player::book_move(const chess::Position& position) {
    if (!options_.own_book || options_.analyse_mode || !book_) return std::nullopt;
    return book_->pick(position, rng_);
}

}  // namespace solis::engine
