// One thread reads and answers, another one searches.
#include "solis/engine/uci/uci_loop.h"

#include "solis/engine/uci/session.h"

namespace solis::engine {
namespace {

// Until "quit" or the end of the input.
void serve(DescriptorInput& input, WakeSignal& task_ended, Session& session) {
    for (;;) {
        std::string_view line;
        switch (input.next(line)) {
            case DescriptorInput::Status::Line:
                if (!session.handle(line)) return;
                break;
            case DescriptorInput::Status::TooLong:
                session.skip_long_line();
                break;
            case DescriptorInput::Status::Woken:
                task_ended.clear();
                session.task_ended();
                break;
            case DescriptorInput::Status::End:
                session.end_of_input();
                return;
        }
    }
}

}  // namespace

Result<void> run_uci_loop(const UciLoopSetup& setup) {
    DescriptorOutput output(setup.output);
    WakeSignal task_ended;
    DescriptorInput input(setup.input, task_ended.descriptor());
    ThreadRunner runner;
    Session session({.output = output,
                     .runner = runner,
                     .wake = [&] { task_ended.raise(); },
                     .name = setup.name,
                     .seed = setup.seed,
                     .model = setup.model});
    serve(input, task_ended, session);
    return output.status();
}

Result<void> run_uci_command(const UciLoopSetup& setup, std::string_view command) {
    DescriptorOutput output(setup.output);
    InlineRunner runner;
    Session session({.output = output,
                     .runner = runner,
                     .name = setup.name,
                     .seed = setup.seed,
                     .model = setup.model});
    (void)session.handle(command);
    return output.status();
}

}  // namespace solis::engine
