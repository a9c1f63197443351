// Parsing and writing the lines of the protocol.
#include "solis/model/process/protocol.h"

#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/chess/fen.h"

namespace solis::model {
namespace {

constexpr std::string_view kGreeting = "solis-encoder", kVersion = "1";
constexpr std::size_t kQuoted = 120;  // characters of foreign text in a message
constexpr const char* kStdoutHint =
    "only the protocol may be written to standard output; print to standard error instead";

std::string_view next_token(std::string_view& rest) {
    while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    const std::string_view token = rest.substr(0, rest.find(' '));
    rest.remove_prefix(token.size());
    return token;
}

std::optional<std::size_t> number_in(std::string_view text, std::size_t least, std::size_t most) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (value < least || value > most) return std::nullopt;
    return value;
}

std::string quoted(std::string_view text) { return in_quotes(text.substr(0, kQuoted)); }

Result<void> set_field(std::string_view key, std::string_view value, EncoderHello& hello) {
    const auto wrong = [&](const std::string& expected) {
        return fail(fmt::format("{} is {}, expected {}", key, quoted(value), expected));
    };
    if (key == "dims") {
        const auto dims = number_in(value, 1, EncoderHello::kMaxDims);
        if (!dims) return wrong(fmt::format("1 to {}", EncoderHello::kMaxDims));
        hello.dims = *dims;
    } else if (key == "batch") {
        const auto batch = number_in(value, 1, EncoderHello::kMaxBatch);
        if (!batch) return wrong(fmt::format("1 to {}", EncoderHello::kMaxBatch));
        hello.batch = *batch;
    } else if (key == "counters") {
        if (value != "yes" && value != "no") return wrong("yes or no");
        hello.reads_counters = value == "yes";
    } else if (key == "name") {
        if (value.empty() || value.size() > 100) return wrong("1 to 100 characters");
        hello.name = value;
    }
    // Other fields are of a later version that says more.
    return {};
}

}  // namespace

Result<EncoderHello> parse_hello(std::string_view line) {
    std::string_view rest = line;
    if (next_token(rest) != kGreeting) {
        return fail(
            fmt::format("the first line is {}, expected 'solis-encoder 1 dims=...'", quoted(line)),
            kStdoutHint);
    }
    if (const std::string_view version = next_token(rest); version != kVersion) {
        return fail(fmt::format("version {} of the protocol, expected 1", quoted(version)));
    }
    EncoderHello hello;
    for (std::string_view field = next_token(rest); !field.empty(); field = next_token(rest)) {
        const std::size_t equals = field.find('=');
        if (equals == std::string_view::npos) {
            return fail(fmt::format("{} in the first line is no name=value", quoted(field)));
        }
        if (auto ok = set_field(field.substr(0, equals), field.substr(equals + 1), hello); !ok) {
            return tl::unexpected(ok.error());
        }
    }
    if (hello.dims == 0) return fail("the first line does not say dims=...");
    return hello;
}

std::string embed_request(std::span<const chess::Position> positions) {
    std::string text = fmt::format("embed {}\n", positions.size());
    for (const chess::Position& position : positions) {
        text += chess::to_fen(position);
        text += '\n';
    }
    return text;
}

Result<void> check_reply(std::string_view line, std::size_t count, std::size_t dims) {
    std::string_view rest = line;
    const std::string_view verb = next_token(rest);
    if (verb == "error") {
        return fail(fmt::format("it says {}", quoted(rest.empty() ? rest : rest.substr(1))));
    }
    const auto rows = number_in(next_token(rest), 0, SIZE_MAX);
    const auto columns = number_in(next_token(rest), 0, SIZE_MAX);
    if (verb != "vectors" || !rows || !columns || !next_token(rest).empty()) {
        return fail(fmt::format("the answer begins with {}, expected 'vectors {} {}'", quoted(line),
                                count, dims),
                    kStdoutHint);
    }
    if (*rows == count && *columns == dims) return {};
    return fail(fmt::format("the answer is {} vectors of {} values, expected {} of {}", *rows,
                            *columns, count, dims));
}

void read_vectors(std::span<const char> bytes, std::span<float> z) {
    for (std::size_t i = 0; i < z.size() && 4 * i + 4 <= bytes.size(); ++i) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            bits |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[4 * i + k]))
                    << (8 * k);
        }
        z[i] = std::bit_cast<float>(bits);
    }
}

Result<std::vector<std::string>> command_words(std::string_view command) {
    std::vector<std::string> words;
    bool inside = false;  // a word has begun
    char quote = 0;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (c == '\0') return fail("the command has a NUL character");
        if (quote == 0 && (c == ' ' || c == '\t')) {
            inside = false;
            continue;
        }
        if (!inside) words.emplace_back();
        inside = true;
        if (quote != 0 ? c == quote : (c == '\'' || c == '"')) {
            quote = quote != 0 ? 0 : c;
        } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
            words.back() += command[++i];
        } else {
            words.back() += c;
        }
    }
    if (quote != 0) {
        return fail(fmt::format("{}: the quotes do not end", in_quotes(command)));
    }
    if (words.empty() || words[0].empty()) return fail("the command of the encoder is empty");
    return words;
}

}  // namespace solis::model
