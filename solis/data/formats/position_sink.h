// What the export formats that hold isolated positions share.
#pragma once
#include "solis/data/formats/packed_formats.h"
#include "solis/data/game_sink.h"

namespace solis::data {

// Takes games apart into labelled positions: those of the line in order, after each its branches.
class PositionSink : public GameSink {
  public:
    Result<void> write(const LabelledGame& game) final;
    const ExportReport& report() const final { return report_; }

  protected:
    [[nodiscard]] virtual Result<void> write_position(const LabelledPosition& labelled) = 0;
    // Whether an unknown result has to be written as a draw.
    [[nodiscard]] virtual bool needs_result() const { return false; }

  private:
    [[nodiscard]] Result<void> write_labelled(const LabelledPosition& labelled);

    ExportReport report_;
};

}  // namespace solis::data
