// EPD text <-> EpdRecord.
#include "solis/chess/epd.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "solis/base/text.h"
#include "solis/chess/san.h"

namespace solis::chess {
namespace {

// Reads words, quoted strings and semicolons from the left of a text.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    // '\0' at the end.
    [[nodiscard]] char peek() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
        return rest_.empty() ? '\0' : rest_.front();
    }
    void skip_one() { rest_.remove_prefix(1); }
    // Up to the next blank or semicolon; empty only at one of these.
    [[nodiscard]] std::string_view word() {
        (void)peek();
        return take(std::min(rest_.find_first_of(" \t\r\n;"), rest_.size()));
    }
    // The text between two double quotes; call at the first of them.
    [[nodiscard]] Result<std::string_view> string() {
        skip_one();
        const std::size_t end = rest_.find('"');
        if (end == std::string_view::npos) return fail("string without closing quote");
        const std::string_view text = take(end);
        skip_one();
        return text;
    }

  private:
    std::string_view take(std::size_t size) {
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    std::string_view rest_;
};

tl::unexpected<Error> bad_operation(std::string_view opcode, std::string_view what) {
    return fail(fmt::format("EPD opcode {}: {}", in_quotes(opcode), what));
}

// The four fields of the position, or six if two counters follow.
Result<Position> parse_position(Scanner& scanner) {
    std::string fen;
    for (int field = 0; field < 6; ++field) {
        if (field >= 4 && !is_digit(scanner.peek())) break;
        if (field > 0) fen += ' ';
        fen += scanner.word();
    }
    auto position = parse_fen(fen);
    if (!position) return fail_in("EPD", position.error());
    return position;
}

Result<EpdOperation> parse_operation(Scanner& scanner) {
    constexpr std::size_t kLongestOpcode = 15;  // as the PGN standard has it
    EpdOperation operation{std::string(scanner.word()), {}};
    const std::string& opcode = operation.opcode;
    const bool well_formed =
        !opcode.empty() && opcode.size() <= kLongestOpcode && is_letter(opcode[0]) &&
        std::all_of(opcode.begin(), opcode.end(),
                    [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
    if (!well_formed) {
        return bad_operation(opcode, "expected a letter, then up to 14 letters, digits and '_'");
    }
    for (char next = scanner.peek(); next != '\0' && next != ';'; next = scanner.peek()) {
        if (next == '"') {
            const auto text = scanner.string();
            if (!text) return bad_operation(opcode, text.error().message);
            operation.operands.push_back({std::string(*text), true});
        } else {
            operation.operands.push_back({std::string(scanner.word()), false});
        }
    }
    return operation;
}

// hmvc or fmvn: one whole number.
Result<void> read_counter(const EpdOperation& operation, int& value) {
    if (operation.operands.size() != 1) {
        return bad_operation(operation.opcode,
                             fmt::format("{} operands, expected 1", operation.operands.size()));
    }
    const std::string& text = operation.operands[0].text;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && stopped == end) return {};
    return bad_operation(operation.opcode,
                         fmt::format("{} is not a whole number", in_quotes(text)));
}

Result<void> apply_counter(const EpdOperation& operation, Position& position) {
    Setup setup = position.setup();
    int& counter = operation.opcode == "hmvc" ? setup.halfmove_clock : setup.fullmove_number;
    if (auto ok = read_counter(operation, counter); !ok) return ok;
    const auto changed = Position::from(setup);
    if (!changed) return bad_operation(operation.opcode, changed.error().message);
    position = *changed;
    return {};
}

bool is_counter(const EpdOperation& operation) {
    return operation.opcode == "hmvc" || operation.opcode == "fmvn";
}

void append_operand(std::string& text, const EpdOperand& operand) {
    const bool plain = !operand.quoted && !operand.text.empty() &&
                       operand.text.find_first_of(" \t\r\n;\"") == std::string::npos;
    if (plain) {
        text += fmt::format(" {}", operand.text);
        return;
    }
    std::string inner = operand.text;
    std::replace(inner.begin(), inner.end(), '"', '\'');
    std::replace_if(
        inner.begin(), inner.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    text += fmt::format(" \"{}\"", inner);
}

}  // namespace

const EpdOperation* EpdRecord::find(std::string_view opcode) const {
    const auto at = std::find_if(operations.begin(), operations.end(),
                                 [&](const EpdOperation& o) { return o.opcode == opcode; });
    return at == operations.end() ? nullptr : &*at;
}

Result<EpdRecord> parse_epd(std::string_view line) {
    Scanner scanner(line);
    const auto position = parse_position(scanner);
    if (!position) return tl::unexpected(position.error());
    EpdRecord record{*position, {}};
    std::vector<std::string> counters_seen;
    while (scanner.peek() != '\0') {
        if (scanner.peek() == ';') {
            scanner.skip_one();
            continue;
        }
        auto operation = parse_operation(scanner);
        if (!operation) return tl::unexpected(operation.error());
        const std::string& opcode = operation->opcode;
        const bool again =
            record.find(opcode) != nullptr ||
            std::find(counters_seen.begin(), counters_seen.end(), opcode) != counters_seen.end();
        if (again) return bad_operation(opcode, "given twice");
        if (is_counter(*operation)) {
            auto ok = apply_counter(*operation, record.position);
            if (!ok) return tl::unexpected(ok.error());
            counters_seen.push_back(opcode);
        } else {
            record.operations.push_back(std::move(*operation));
        }
    }
    return record;
}

std::string to_epd(const EpdRecord& record, CastlingFen style) {
    const Position& position = record.position;
    std::string text = to_fen_without_counters(position, style);
    for (const EpdOperation& operation : record.operations) {
        text += fmt::format(" {}", operation.opcode);
        for (const EpdOperand& operand : operation.operands) append_operand(text, operand);
        text += ';';
    }
    if (const int n = position.halfmove_clock(); n != 0) text += fmt::format(" hmvc {};", n);
    if (const int n = position.fullmove_number(); n != 1) text += fmt::format(" fmvn {};", n);
    return text;
}

Result<std::vector<Move>> epd_moves(const EpdRecord& record, std::string_view opcode) {
    std::vector<Move> moves;
    const EpdOperation* operation = record.find(opcode);
    if (operation == nullptr) return moves;
    for (const EpdOperand& operand : operation->operands) {
        const auto move = parse_san(record.position, operand.text);
        if (!move) return fail_in(fmt::format("EPD opcode {}", in_quotes(opcode)), move.error());
        moves.push_back(*move);
    }
    return moves;
}

}  // namespace solis::chess
