// EPD: four FEN fields and operations such as bm, am, id, hmvc. One record per line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "solis/base/result.h"
#include "solis/chess/fen.h"
#include "solis/chess/position.h"

namespace solis::chess {

struct EpdOperand {
    std::string text;
    bool quoted = false;  // written in double quotes

    friend bool operator==(const EpdOperand&, const EpdOperand&) = default;
};

struct EpdOperation {
    std::string opcode;
    std::vector<EpdOperand> operands;

    friend bool operator==(const EpdOperation&, const EpdOperation&) = default;
};

struct EpdRecord {
    Position position;
    // In file order, without hmvc and fmvn, which are the position's counters.
    std::vector<EpdOperation> operations;

    // nullptr if the record has no such operation.
    [[nodiscard]] const EpdOperation* find(std::string_view opcode) const;

    friend bool operator==(const EpdRecord&, const EpdRecord&) = default;
};

// Also takes the six fields of a FEN before the operations, and ';' in front of operations instead
// of behind them, as many files have it. The error names the opcode at fault.
[[nodiscard]] Result<EpdRecord> parse_epd(std::string_view line);

// One line without line end. Counters are written as hmvc and fmvn where they are not 0 and 1.
// Operands are quoted where they have to be; EPD cannot write a double quote inside an operand, so
// it becomes a single one.
[[nodiscard]] std::string to_epd(const EpdRecord& record, CastlingFen style = CastlingFen::XFen);

// The operands of a move operation (bm, am, pv's first move) as legal moves of the record's
// position; empty if the record has no such operation.
[[nodiscard]] Result<std::vector<Move>> epd_moves(const EpdRecord& record, std::string_view opcode);

}  // namespace solis::chess
