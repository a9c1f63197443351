// Where the games of a store come from and what is in it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/data/store/summary.h"

namespace solis::data {

// One input that games were taken from.
struct DataSource {
    std::string name;    // file or run
    std::string format;  // "tree text", "PGN", "labeller", ...
    std::uint64_t games = 0;
    std::uint64_t bad_rows = 0;

    friend bool operator==(const DataSource&, const DataSource&) = default;
};

// Who gave the scores, and how much it was allowed to think.
struct LabellerInfo {
    std::string engine;  // "Stockfish 16"
    std::string limit;   // "120 nodes"

    friend bool operator==(const LabellerInfo&, const LabellerInfo&) = default;
};

struct Manifest {
    std::vector<DataSource> sources;
    std::vector<LabellerInfo> labellers;
    std::string split;  // "train", "validation" or "test" where the store holds one, else empty
    std::string note;
    // Where an import began that is complete only when a later manifest says 0; what lies behind
    // this byte does not count until then. Kept by the store.
    std::uint64_t provisional_from = 0;
    StoreSummary summary;  // kept by the store

    // Adds what is new in `other`, but not its summary: for merging.
    void add_origin(const Manifest& other);

    friend bool operator==(const Manifest&, const Manifest&) = default;
};

// One line of JSON. Unknown fields are ignored, missing ones are empty.
[[nodiscard]] std::string to_json_text(const Manifest& manifest);
[[nodiscard]] Result<Manifest> parse_manifest(std::string_view json);

}  // namespace solis::data
