// Tree text, one game per line:
//   line  = fen " " value { branch } { " " move [ " " value { branch } ] }
//   branch = " (" move [ " " move ] " " value ")"
//   value = score | "#" (the side to move is checkmated) | "=" (it is stalemated) | "?" (no
//   verdict)
// A branch is a labelled child of the position before it that was not played; a bare move is
// played, and the value after it belongs to the position reached.
#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "solis/base/byte_source.h"
#include "solis/base/result.h"
#include "solis/data/game_source.h"
#include "solis/data/labelled_game.h"

namespace solis::data {

// Every move and every end of the game is checked. The error names the place in the line.
[[nodiscard]] Result<void> parse_tree_text(std::string_view line, LabelledGame& game);
// The line without its end. Result and second looks have no place in this format.
[[nodiscard]] std::string to_tree_text(const LabelledGame& game);

// The games of a text; empty lines and lines that start with '#' are skipped.
class TreeTextSource final : public GameSource {
  public:
    explicit TreeTextSource(std::unique_ptr<ByteSource> text)
        : text_(std::move(text)), lines_(*text_) {}

    [[nodiscard]] Result<bool> next(LabelledGame& game) override;
    [[nodiscard]] const ImportReport& report() const override { return report_; }

  private:
    std::unique_ptr<ByteSource> text_;
    LineReader lines_;
    ImportReport report_;
};

}  // namespace solis::data
