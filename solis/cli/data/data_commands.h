// The subcommands of `solis data`, one file each, and what they share.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "solis/cli/command.h"
#include "solis/cli/damage.h"
#include "solis/data/store/reader.h"
#include "solis/data/store/writer.h"

namespace solis::cli {

void add_data_endings(Command& parent, Session& session);
void add_data_export(Command& parent, Session& session);
void add_data_head(Command& parent, Session& session);
void add_data_import(Command& parent, Session& session);
void add_data_info(Command& parent, Session& session);
void add_data_merge(Command& parent, Session& session);
void add_data_split(Command& parent, Session& session);
void add_data_stats(Command& parent, Session& session);

// The manifest as JSON, summary included.
[[nodiscard]] nlohmann::ordered_json manifest_json(const data::Manifest& manifest);
// A bar of at most `width` for a share in [0, 1].
[[nodiscard]] std::string bar(double share, int width);
// Histogram of win probability, one line per bin.
void print_probabilities(Console& console, const data::StoreSummary& summary);

}  // namespace solis::cli
