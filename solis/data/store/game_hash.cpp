// Game identities by XXH3 over the packed start position and the moves.
#include "solis/data/store/game_hash.h"

#include <algorithm>

#include <fmt/format.h>
#include <xxhash.h>

#include "solis/data/formats/packed_position.h"

namespace solis::data {
namespace {

constexpr std::size_t kSplitMoves = 8;

std::uint64_t hash_of_opening(const LabelledGame& game, std::size_t moves) {
    Bytes bytes;
    append_packed_without_counters(bytes, game.start);
    const std::size_t end = std::min(game.line.size(), moves + 1);
    for (std::size_t i = 1; i < end; ++i) append_little_endian(bytes, game.line[i].move.bits());
    return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace

std::uint64_t game_hash(const LabelledGame& game) {
    Bytes bytes;
    bytes.reserve(64 + 10 * game.line.size() + 6 * game.branches.size());
    append_packed(bytes, game.start);
    bytes.push_back(static_cast<std::uint8_t>(game.result));
    for (const Ply& ply : game.line) {
        append_little_endian(bytes, ply.move.bits());
        append_score(bytes, ply.score);
        append_score(bytes, ply.second_look);
        append_little_endian(bytes, ply.branch_count);
    }
    for (const Branch& branch : game.branches) {
        append_little_endian(bytes, branch.first.bits());
        append_little_endian(bytes, branch.second.bits());
        append_score(bytes, branch.score);
    }
    return XXH3_64bits(bytes.data(), bytes.size());
}

std::uint64_t game_identity(const LabelledGame& game) {
    return hash_of_opening(game, game.line.size());
}

std::string_view name_of(Split split) {
    switch (split) {
        case Split::Train:
            return "train";
        case Split::Validation:
            return "validation";
        case Split::Test:
            return "test";
    }
    return "";
}

Result<Split> split_from_name(std::string_view name) {
    for (const Split split : {Split::Train, Split::Validation, Split::Test}) {
        if (name == name_of(split)) return split;
    }
    return fail(fmt::format("unknown split '{}'", name), "use train, validation or test");
}

Split split_of(const LabelledGame& game, SplitShares shares) {
    const std::uint64_t ticket = hash_of_opening(game, kSplitMoves) % 1000;
    if (ticket < shares.validation) return Split::Validation;
    if (ticket < shares.validation + shares.test) return Split::Test;
    return Split::Train;
}

}  // namespace solis::data
