// The dialogue with an encoder in another process.
#include "solis/model/process/encoder_process.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/chess/movegen.h"

namespace solis::model {
namespace {

using chess::Position;
using Clock = ChildProcess::Clock;

// The start position and those after each of its moves.
std::vector<Position> rehearsal_positions() {
    std::vector<Position> positions{Position::start()};
    for (const chess::Move move : chess::legal_moves(Position::start())) {
        positions.push_back(Position::start().after(move));
    }
    return positions;
}

}  // namespace

Result<std::shared_ptr<EncoderProcess>> EncoderProcess::start(
    const std::string& command, const EncoderProcessOptions& options) {
    const auto words = command_words(command);
    if (!words) return fail_in("encoder command", words.error());
    auto child = ChildProcess::start(*words);
    if (!child) return fail_in("encoder command", child.error());
    const std::shared_ptr<EncoderProcess> process(
        new EncoderProcess(command, std::move(*child), options));
    if (auto ok = process->read_hello(); !ok) return tl::unexpected(ok.error());
    if (auto ok = process->rehearse(); !ok) return tl::unexpected(ok.error());
    return process;
}

EncoderProcess::~EncoderProcess() {
    if (!process_) return;
    process_->close_input();
    (void)process_->exit_status(std::chrono::seconds(1));
}

Result<void> EncoderProcess::read_hello() {
    std::string_view line;
    const IoStatus status = process_->read_line(line, Clock::now() + options_.start_timeout);
    if (status != IoStatus::Done) {
        return tl::unexpected(give_up(status, "its first line", options_.start_timeout));
    }
    auto hello = parse_hello(line);
    if (!hello) return tl::unexpected(give_up(hello.error()));
    hello_ = std::move(*hello);
    return {};
}

Result<void> EncoderProcess::rehearse() {
    const std::vector<Position> positions = rehearsal_positions();
    std::vector<float> first(positions.size() * dims()), second(first.size());
    if (auto ok = embed(positions, first); !ok) return ok;
    const auto start = Clock::now();
    if (auto ok = embed(positions, second); !ok) return ok;
    const std::chrono::duration<double> time = Clock::now() - start;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (std::abs(first[i] - second[i]) <= 1e-3f) continue;
        return tl::unexpected(give_up(Error{
            "the same position gets another vector the second time",
            "a network must be in evaluation mode (PyTorch: model.eval()), without dropout"}));
    }
    // What takes some ten milliseconds.
    const double per_position = time.count() / static_cast<double>(positions.size());
    positions_per_look_ =
        static_cast<std::size_t>(std::clamp(0.01 / std::max(per_position, 1e-9), 1.0, 1e6));
    return {};
}

Result<void> EncoderProcess::embed(std::span<const Position> positions, std::span<float> z) {
    for (std::size_t first = 0; first < positions.size(); first += hello_.batch) {
        const std::size_t count = std::min(hello_.batch, positions.size() - first);
        if (auto ok =
                ask(positions.subspan(first, count), z.subspan(first * dims(), count * dims()));
            !ok) {
            return ok;
        }
    }
    return {};
}

Result<void> EncoderProcess::ask(std::span<const Position> positions, std::span<float> z) {
    if (!process_) return fail(fmt::format("encoder {} has ended", in_quotes(command_)));
    const Clock::time_point deadline = Clock::now() + options_.answer_timeout;
    const auto lost = [&](IoStatus status, std::string_view doing) {
        return tl::unexpected(give_up(status, doing, options_.answer_timeout));
    };
    if (const IoStatus status = process_->write(embed_request(positions), deadline);
        status != IoStatus::Done) {
        return lost(status, "a request to be read");
    }
    std::string_view line;
    if (const IoStatus status = process_->read_line(line, deadline); status != IoStatus::Done) {
        return lost(status, "an answer");
    }
    if (auto ok = check_reply(line, positions.size(), dims()); !ok) {
        return tl::unexpected(give_up(ok.error()));
    }
    bytes_.resize(4 * z.size());
    if (const IoStatus status = process_->read_bytes(bytes_, deadline); status != IoStatus::Done) {
        return lost(status, fmt::format("{} bytes of vectors", bytes_.size()));
    }
    read_vectors(bytes_, z);
    if (auto ok = normalise_rows(z, dims()); !ok) return tl::unexpected(give_up(ok.error()));
    return {};
}

Error EncoderProcess::give_up(IoStatus status, std::string_view doing,
                              std::chrono::milliseconds timeout) {
    if (status == IoStatus::LineTooLong) {
        return give_up(Error{"its answer has no line end where one is expected",
                             "only the protocol may be written to standard output"});
    }
    if (status == IoStatus::TimedOut) {
        return give_up(Error{fmt::format("waited {:.3g} s for {}",
                                         std::chrono::duration<double>(timeout).count(), doing),
                             "is it flushing its output? a slower one needs a longer "
                             "--encoder-timeout"});
    }
    const auto ended = process_->exit_status(std::chrono::seconds(1));
    return give_up(Error{fmt::format("it {} instead of giving {}",
                                     ended ? ended->text() : "closed its output", doing),
                         "what it wrote to standard error says why"});
}

Error EncoderProcess::give_up(const Error& error) {
    process_.reset();
    return {fmt::format("encoder {}: {}", in_quotes(command_), error.message), error.hint};
}

}  // namespace solis::model
