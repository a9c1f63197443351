// solis model: shows a model file, and takes weights out of it and into it.
#include <memory>

#include "solis/cli/model/model_options.h"

namespace solis::cli {
namespace {

using ModelAction = ExitCode (*)(const ModelOptions&, Console&);

Command* add_action(Command& parent, Session& session, const char* name, const char* help,
                    const char* file_help, const std::shared_ptr<ModelOptions>& options,
                    ModelAction run) {
    Command* action = parent.add_subcommand(name, help);
    Option* file = action->add_option("file", options->file, file_help);
    if (run != run_model_info) file->required();
    add_json_flag(*action, options->json);
    action->callback(
        [options, run, &session] { session.exit_code = run(*options, session.console); });
    return action;
}

}  // namespace

void add_model(Command& parent, Session& session) {
    const auto options = std::make_shared<ModelOptions>();
    Command* command = parent.add_subcommand(
        "model", "show, measure, export, import, join and average model files");
    command->require_subcommand();
    Command* info = add_action(*command, session, "info", "what a model file holds",
                               "model file (default: the embedded one)", options, run_model_info);
    info->add_option("--preset", options->preset, "sizes of the paper's networks: mini or base");
    Command* to_npz = add_action(*command, session, "export", "write the tensors for numpy",
                                 "model file", options, run_model_export);
    to_npz->add_option("--out", options->out, "where to write the .npz")->required();
    Command* from_file = add_action(*command, session, "import", "make a model file from weights",
                                    ".safetensors or .npz with the tensor names of a model file",
                                    options, run_model_import);
    Command* attach =
        add_action(*command, session, "attach", "give a model an encoder of its own for endings",
                   "model file", options, run_model_attach);
    attach
        ->add_option("--endings", options->endings,
                     "the model trained on endings, or one that carries it")
        ->required();
    attach->add_option("--out", options->out, "where to write the model")->required();
    from_file->add_option("--out", options->out, "where to write the model")->required();
    Command* pack = add_action(*command, session, "pack",
                               "round the large tensors to 16-bit floats: half the file",
                               "model file", options, run_model_pack);
    pack->add_option("--out", options->out, "where to write the model")->required();
    add_model_average(*command, session);
    add_model_measure(*command, session);
    for (Command* writes : {to_npz, attach, from_file, pack})
        add_force_flag(*writes, options->existing);
    from_file->add_option("--features", options->hints.features,
                          "swift: feature set, where the file does not say it: pieces, threats, "
                          "relations, contacts or danger");
    from_file->add_option("--tokenizer", options->hints.tokenizer,
                          "transformer: deepmind or reference (default: deepmind)");
    from_file->add_option("--heads", options->hints.heads,
                          "transformer: heads (default: those of the paper's networks)");
}

}  // namespace solis::cli
