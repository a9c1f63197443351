// The dialogue with an engine.
#include "solis/engine/client/uci_client.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "solis/base/system_seed.h"
#include "solis/engine/client/child_process.h"
#include "solis/engine/client/in_process_engine.h"
#include "solis/engine/words.h"

namespace solis::engine {
namespace {

constexpr std::size_t kQuotedLength = 80;
// How long to wait for the end of a process whose output is closed already.
constexpr std::chrono::milliseconds kExitPatience{500};
// How soon a wait notices that it shall stop.
constexpr std::chrono::milliseconds kStopInterval{50};

bool starts_like_uci(std::string_view line) {
    constexpr std::array<std::string_view, 8> kWords{
        "id", "option", "uciok", "readyok", "info", "bestmove", "copyprotection", "registration"};
    return std::find(kWords.begin(), kWords.end(), next_word(line)) != kWords.end();
}

// What an engine printed may hold control characters; an error message should not.
std::string quotable(std::string_view line) {
    std::string text(line.substr(0, kQuotedLength));
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
    }
    return text;
}

Result<std::unique_ptr<EngineLink>> connect(const EngineSpec& spec) {
    if (spec.in_process) {
        return std::make_unique<InProcessEngine>(spec.command[0], system_seed());
    }
    auto process = ChildProcess::start(spec.command);
    if (!process) return tl::unexpected(process.error());
    return std::make_unique<ChildProcess>(std::move(*process));
}

}  // namespace

UciClient::UciClient(std::unique_ptr<EngineLink> link, const EngineSpec& spec)
    : link_(std::move(link)), timeouts_(spec.timeouts), program_(spec.command[0]) {}

UciClient::~UciClient() {
    if (!link_ || fault_ != EngineFault::None) return;
    outgoing_ = "stop\nquit\n";
    if (!flush()) return;
    link_->close_input();
    (void)link_->exit_status(timeouts_.quit);
}

Result<UciClient> UciClient::start(const EngineSpec& spec) {
    auto link = connect(spec);
    if (!link) return tl::unexpected(link.error());
    UciClient client(std::move(*link), spec);
    if (auto done = client.shake_hands(); !done) return tl::unexpected(done.error());
    for (const auto& [name, value] : spec.options) {
        if (auto done = client.set_option(name, value); !done) return tl::unexpected(done.error());
    }
    if (auto done = client.wait_ready(); !done) return tl::unexpected(done.error());
    return client;
}

Result<void> UciClient::shake_hands() {
    send("uci");
    return wait_line(
        [this](std::string_view line) {
            take_identity(line);
            return next_word(line) == "uciok";
        },
        timeouts_.start, "'uciok'");
}

void UciClient::take_identity(std::string_view line) {
    if (auto option = parse_option(line)) options_.push_back(std::move(*option));
    if (next_word(line) != "id") return;
    const std::string_view key = next_word(line);
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string_view::npos) return;
    if (key == "name") name_ = line.substr(begin);
    if (key == "author") author_ = line.substr(begin);
}

const UciOption* UciClient::find_option(std::string_view name) const {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const UciOption& option) {
        return same_ignoring_case(option.name, name);
    });
    return found != options_.end() ? &*found : nullptr;
}

Result<void> UciClient::set_option(std::string_view name, std::string_view value) {
    const UciOption* option = find_option(name);
    if (option == nullptr) {
        return fail(fmt::format("engine '{}' has no option '{}'", program_, name));
    }
    if (auto fits = option->check(value); !fits) return fail_in(program_, fits.error());
    if (value.find('\n') != std::string_view::npos) {
        return fail(fmt::format("the value of option '{}' contains a line end", name));
    }
    if (option->name == "UCI_Chess960") {
        castling_ = value == "true" ? chess::CastlingNotation::KingTakesRook
                                    : chess::CastlingNotation::Automatic;
    }
    outgoing_ += "setoption name " + option->name;
    if (option->type != OptionType::Button) outgoing_.append(" value ").append(value);
    outgoing_ += '\n';
    return {};
}

Result<void> UciClient::wait_ready() {
    send("isready");
    return wait_line([](std::string_view line) { return next_word(line) == "readyok"; },
                     timeouts_.ready, "'readyok'");
}

Result<void> UciClient::new_game() {
    send("ucinewgame");
    return wait_ready();
}

void UciClient::position(const chess::Position& start, std::span<const chess::Move> moves) {
    append_position(outgoing_, start, moves, castling_);
}

void UciClient::go(const planner::Limits& limits) { append_go(outgoing_, limits); }

void UciClient::send(std::string_view command) {
    outgoing_ += command;
    outgoing_ += '\n';
}

Result<void> UciClient::flush() {
    if (outgoing_.empty()) return {};
    const IoStatus status = link_->write(outgoing_, Clock::now() + timeouts_.write);
    outgoing_.clear();
    if (status != IoStatus::Done) return io_failure(status, "input to be read", timeouts_.write);
    return {};
}

Result<void> UciClient::stop() {
    send("stop");
    return flush();
}

Result<SearchReport> UciClient::wait_bestmove(std::chrono::milliseconds limit,
                                              const InfoListener& listener) {
    SearchReport report;
    bool malformed = false;
    const auto take = [&](std::string_view line) {
        if (line.starts_with("info")) {
            const auto info = parse_info(line);
            if (!info) return false;
            if (listener) listener(*info);
            if (info->nodes != 0) report.nodes = info->nodes;
            if (info->multipv == 1 && info->score && info->score->bound == ScoreBound::Exact) {
                report.score = info->score;
                report.depth = info->depth;
            }
            return false;
        }
        if (!line.starts_with("bestmove")) return false;
        const auto best = parse_bestmove(line);
        malformed = !best;
        if (!best) return true;
        report.best_move = best->move;
        report.ponder = best->ponder;
        return true;
    };
    if (auto done = wait_line(take, limit, "'bestmove'"); !done) {
        return tl::unexpected(done.error());
    }
    if (malformed) {
        fault_ = EngineFault::Garbage;
        return fail(fmt::format("engine '{}' sent a 'bestmove' without a move", program_));
    }
    return report;
}

Result<void> UciClient::wait_line(const std::function<bool(std::string_view)>& wanted,
                                  std::chrono::milliseconds limit, std::string_view what) {
    if (auto sent = flush(); !sent) return sent;
    spoke_uci_ = false;
    last_junk_.clear();
    const Clock::time_point deadline = Clock::now() + limit;
    std::string_view line;
    while (true) {
        const IoStatus status = read_line(line, deadline);
        if (status != IoStatus::Done) return io_failure(status, what, limit);
        if (wanted(line)) return {};
        if (!spoke_uci_) note_line(line);
    }
}

IoStatus UciClient::read_line(std::string_view& line, Clock::time_point deadline) {
    if (!stop_token_.stop_possible()) return link_->read_line(line, deadline);
    while (true) {
        if (stop_token_.stop_requested()) return IoStatus::TimedOut;
        const Clock::time_point next_look = std::min(deadline, Clock::now() + kStopInterval);
        const IoStatus status = link_->read_line(line, next_look);
        if (status != IoStatus::TimedOut || next_look == deadline) return status;
    }
}

void UciClient::note_line(std::string_view line) {
    if (starts_like_uci(line)) {
        spoke_uci_ = true;
    } else if (line.find_first_not_of(" \t") != std::string_view::npos) {
        last_junk_ = quotable(line);
    }
}

tl::unexpected<Error> UciClient::io_failure(IoStatus status, std::string_view what,
                                            std::chrono::milliseconds limit) {
    if (status == IoStatus::Closed) return gone(what);
    if (status == IoStatus::LineTooLong) {
        fault_ = EngineFault::Garbage;
        return fail(fmt::format("engine '{}' sent a line of more than {} bytes, awaiting {}",
                                program_, ChildProcess::kMaxLine, what));
    }
    return late(what, limit);
}

tl::unexpected<Error> UciClient::late(std::string_view what, std::chrono::milliseconds limit) {
    const double seconds = static_cast<double>(limit.count()) / 1000;
    if (stop_token_.stop_requested()) {
        fault_ = EngineFault::Stopped;
        return fail(fmt::format("no longer waiting for {} of engine '{}'", what, program_));
    }
    if (!spoke_uci_ && !last_junk_.empty()) {
        fault_ = EngineFault::Garbage;
        // An engine that prints a greeting before it answers `uci` looks the same while it is slow.
        return fail(fmt::format("engine '{}' does not speak UCI: awaiting {} for {} s it said '{}'",
                                program_, what, seconds, last_junk_),
                    "check that the path is that of a UCI engine, or give a slow one more time");
    }
    fault_ = EngineFault::TimedOut;
    return fail(fmt::format("engine '{}' hangs: no {} within {} s", program_, what, seconds));
}

tl::unexpected<Error> UciClient::gone(std::string_view what) {
    fault_ = EngineFault::Crashed;
    const auto status = link_->exit_status(kExitPatience);
    const std::string how = status ? status->text() : std::string("closed its output");
    const std::string said =
        last_junk_.empty() ? std::string() : fmt::format(" (it said '{}')", last_junk_);
    return fail(fmt::format("engine '{}' {}, awaiting {}{}", program_, how, what, said));
}

}  // namespace solis::engine
