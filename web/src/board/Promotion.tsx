// Asks what a pawn becomes, or which of two moves between the same squares is meant.
import { useEffect, useRef } from "preact/hooks";
import { PIECE_NAMES, type Color } from "../chess/fen";
import type { Move } from "../chess/tree";
import { Piece } from "./pieces";

const ORDER = "qrbn";

export function Promotion(props: { moves: readonly Move[]; color: Color; onChoose(move: Move | null): void }) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const moves = [...props.moves].sort((a, b) => ORDER.indexOf(a.uci.charAt(4)) - ORDER.indexOf(b.uci.charAt(4)));
  return (
    <div
      class="promotion"
      role="dialog"
      aria-modal="true"
      aria-label="Choose"
      onKeyDown={(event) => event.key === "Escape" && props.onChoose(null)}
      onClick={() => props.onChoose(null)}
    >
      <div class="choices">
        {moves.map((move, index) => {
          const kind = move.uci.charAt(4).toUpperCase();
          return (
            <button
              key={move.uci}
              ref={index === 0 ? first : null}
              type="button"
              aria-label={kind ? PIECE_NAMES[kind] : move.san}
              onClick={(event) => {
                event.stopPropagation();
                props.onChoose(move);
              }}
            >
              {kind ? <svg viewBox="0 0 100 100" aria-hidden="true"><Piece name={props.color + kind} /></svg> : move.san}
            </button>
          );
        })}
      </div>
    </div>
  );
}
