// What the actions of `solis model` share.
#pragma once
#include <string>

#include "solis/base/output.h"
#include "solis/cli/commands.h"
#include "solis/model/model_file.h"

namespace solis::cli {

struct ModelOptions {
    std::string file;
    std::string out;
    Existing existing = Existing::Refuse;
    std::string endings;
    std::string preset;
    model::ImportHints hints;
    bool json = false;
};

// What a model file holds; the embedded model's where no file is named.
ExitCode run_model_info(const ModelOptions& options, Console& console);
// Tensors and metadata for numpy; what it writes, import reads.
ExitCode run_model_export(const ModelOptions& options, Console& console);
ExitCode run_model_import(const ModelOptions& options, Console& console);
ExitCode run_model_attach(const ModelOptions& options, Console& console);
ExitCode run_model_pack(const ModelOptions& options, Console& console);
// Add `solis model measure` and `solis model average`.
void add_model_measure(Command& parent, Session& session);
void add_model_average(Command& parent, Session& session);

}  // namespace solis::cli
