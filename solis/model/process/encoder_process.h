// An encoder that runs as a process of its own: FENs in, vectors out, over pipes.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "solis/base/child_process.h"
#include "solis/model/custom_encoder.h"
#include "solis/model/process/protocol.h"

namespace solis::model {

struct EncoderProcessOptions {
    // For the first line, which may have to load a network, and for each answer.
    std::chrono::milliseconds start_timeout{120'000};
    std::chrono::milliseconds answer_timeout{60'000};
};

// Every failure is final: the process is killed and reaped, and the error names its command. At the
// end its standard input is closed; what does not end by itself within a second is killed.
class EncoderProcess final : public CustomEncoder {
  public:
    // Starts it and tries it on a few positions: sizes, values, whether the same position gets the
    // same vector twice, and how long it takes.
    [[nodiscard]] static Result<std::shared_ptr<EncoderProcess>> start(
        const std::string& command, const EncoderProcessOptions& options = {});
    EncoderProcess(const EncoderProcess&) = delete;
    EncoderProcess& operator=(const EncoderProcess&) = delete;
    ~EncoderProcess() override;

    [[nodiscard]] const std::string& name() const { return hello_.name; }
    [[nodiscard]] std::size_t dims() const override { return hello_.dims; }
    [[nodiscard]] EncoderTraits traits() const override {
        return {hello_.reads_counters, positions_per_look_};
    }
    [[nodiscard]] Result<void> embed(std::span<const chess::Position> positions,
                                     std::span<float> z) override;

  private:
    EncoderProcess(std::string command, ChildProcess process, const EncoderProcessOptions& options)
        : command_(std::move(command)), process_(std::move(process)), options_(options) {}

    [[nodiscard]] Result<void> read_hello();
    [[nodiscard]] Result<void> rehearse();
    // One request and its answer.
    [[nodiscard]] Result<void> ask(std::span<const chess::Position> positions, std::span<float> z);
    // Ends the process; the error tells how it ended where that is the reason.
    [[nodiscard]] Error give_up(IoStatus status, std::string_view doing,
                                std::chrono::milliseconds timeout);
    [[nodiscard]] Error give_up(const Error& error);

    std::string command_;
    std::optional<ChildProcess> process_;
    EncoderProcessOptions options_;
    EncoderHello hello_;
    std::size_t positions_per_look_ = 1;
    std::vector<char> bytes_;
};

}  // namespace solis::model
