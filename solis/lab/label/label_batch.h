// Labels some games together on one engine, keeping its input queue filled.
#pragma once
#include <chrono>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "solis/base/result.h"
#include "solis/engine/client/uci_client.h"
#include "solis/lab/label/label_task.h"

namespace solis::lab {

struct PipelineOptions {
    // Searches sent ahead. More than 1 is beyond the letter of UCI: Stockfish takes the next
    // 'go' when the last search has ended, other engines may not.
    std::size_t depth = 1;
    std::chrono::milliseconds search_timeout{30'000};
    // Ends the batch early, as a failure.
    std::stop_token stop{};
};

struct BatchStats {
    std::uint64_t searches = 0;
    std::uint64_t nodes = 0;

    BatchStats& operator+=(const BatchStats& other) {
        searches += other.searches;
        nodes += other.nodes;
        return *this;
    }
};

// Runs the tasks to their end and adds to `stats`, also where it fails. The engine forgets
// everything first, and sees the searches in an order that depends on the tasks only: the same
// batch always gets the same labels, whatever was labelled before and however fast the machine is.
[[nodiscard]] Result<void> run_batch(engine::UciClient& client, std::span<LabelTask> tasks,
                                     const LabelOptions& options, const PipelineOptions& pipeline,
                                     BatchStats& stats);

// How many searches this engine may be sent ahead.
[[nodiscard]] std::size_t safe_pipeline_depth(const engine::UciClient& client);

}  // namespace solis::lab
