// A reader thread for the input; the session is served by the caller.
#include "solis/engine/uci/uci_loop.h"

#include <thread>

#include "solis/engine/uci/session_host.h"
#include "solis/engine/words.h"

namespace solis::engine {
namespace {

// Ends after the last event that the session will take: "quit" or the end.
void read_lines(int descriptor, SessionHost& host) {
    DescriptorInput input(descriptor);
    for (;;) {
        std::string_view line;
        switch (input.next(line)) {
            case DescriptorInput::Status::Line: {
                std::string_view rest = line;
                const bool is_last = next_word(rest) == "quit";
                host.post_when_there_is_room(std::string(line));
                if (is_last) return;
                break;
            }
            case DescriptorInput::Status::TooLong:
                host.post_long_line();
                break;
            case DescriptorInput::Status::End:
                host.post_end_of_input();
                return;
        }
    }
}

}  // namespace

Result<void> run_uci_loop(const UciLoopSetup& setup) {
    DescriptorOutput output(setup.output);
    SessionHost host(output, setup.name, setup.seed);
    std::thread reader([&] { read_lines(setup.input, host); });
    host.serve();
    reader.join();
    return output.status();
}

Result<void> run_uci_command(const UciLoopSetup& setup, std::string_view command) {
    DescriptorOutput output(setup.output);
    InlineRunner runner;
    Session session({.output = output, .runner = runner, .name = setup.name, .seed = setup.seed});
    (void)session.handle(command);
    return output.status();
}

}  // namespace solis::engine
