// A small board to look at: hovered points, similar positions, games of a match. Without a label it is
// decoration of what says the same in words.
import { boardOf } from "../chess/fen";
import { cornerOf } from "./geometry";
import { Piece } from "./pieces";

export function MiniBoard(props: { fen: string; flipped?: boolean; label?: string }) {
  const flipped = props.flipped ?? false;
  return (
    <svg class="mini-board" viewBox="0 0 800 800" {...(props.label ? { role: "img", "aria-label": props.label } : { "aria-hidden": "true" })}>
      <rect class="square light" width="800" height="800" />
      <path
        class="square dark"
        d={Array.from({ length: 32 }, (_, i) => {
          const row = Math.floor(i / 4);
          return `M${((i % 4) * 2 + ((row + 1) % 2)) * 100} ${row * 100}h100v100h-100z`;
        }).join("")}
      />
      {[...boardOf(props.fen)].map(([square, piece]) => {
        const { x, y } = cornerOf(square, flipped);
        return <Piece key={square} name={piece} transform={`translate(${x} ${y})`} />;
      })}
    </svg>
  );
}
