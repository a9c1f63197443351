// A board: squares, pieces, marks and arrows. Over the drawing lie 64 buttons, which take clicks, drags,
// the keyboard and screen readers alike.
import { useEffect, useRef, useState } from "preact/hooks";
import { boardOf, describePiece, SQUARES, type Color, type Square } from "../chess/fen";
import { arrowPath, cornerOf, SIDE, squareAt, type Spot } from "./geometry";
import { followPieces, type PlacedPiece } from "./follow_pieces";
import { Piece } from "./pieces";
import { nextSquare } from "./keys";

export interface Arrow {
  from: Square;
  to: Square;
  /** 1 is the best. */
  rank: number;
}

export interface BoardProps {
  fen: string;
  flipped: boolean;
  /** Colours whose pieces can be moved. */
  movable: readonly Color[];
  /** Squares that the piece on a square may go to. */
  targets(from: Square): Square[];
  onMove(from: Square, to: Square): void;
  lastMove?: readonly Square[];
  check?: Square | null;
  arrows?: readonly Arrow[];
  /** Colours of squares by what their piece contributes, and the figures. */
  heat?: ReadonlyMap<Square, { fill: string; text: string }>;
  label: string;
}

interface Drag {
  from: Square;
  at: Spot;
  moved: boolean;
}

const DRAG_STARTS_AT = 4;
let lastId = 0;

function usePlacedPieces(fen: string): PlacedPiece[] {
  const kept = useRef<{ fen: string; pieces: PlacedPiece[] }>({ fen: "", pieces: [] });
  if (kept.current.fen !== fen) {
    kept.current = { fen, pieces: followPieces(kept.current.pieces, boardOf(fen), () => (lastId += 1)) };
  }
  return kept.current.pieces;
}

function Squares({ flipped }: { flipped: boolean }) {
  return (
    <g aria-hidden="true">
      {SQUARES.map((square, i) => {
        const { x, y } = cornerOf(square, flipped);
        const dark = (i + Math.floor(i / 8)) % 2 === 1;
        return <rect key={square} class={dark ? "square dark" : "square light"} x={x} y={y} width={SIDE} height={SIDE} />;
      })}
      {Array.from({ length: 8 }, (_, i) => {
        const file = String.fromCharCode(97 + (flipped ? 7 - i : i));
        const rank = String(flipped ? i + 1 : 8 - i);
        return [
          <text key={file} class={i % 2 ? "coordinate on-light" : "coordinate on-dark"} x={i * SIDE + 92} y={793} text-anchor="end">{file}</text>,
          <text key={rank} class={i % 2 ? "coordinate on-dark" : "coordinate on-light"} x={6} y={i * SIDE + 21}>{rank}</text>,
        ];
      })}
    </g>
  );
}

function Mark({ square, flipped, kind }: { square: Square; flipped: boolean; kind: string }) {
  const { x, y } = cornerOf(square, flipped);
  return <rect class={`mark ${kind}`} x={x} y={y} width={SIDE} height={SIDE} />;
}

function Target({ square, flipped, takes }: { square: Square; flipped: boolean; takes: boolean }) {
  const { x, y } = cornerOf(square, flipped);
  return <circle class={takes ? "target takes" : "target"} cx={x + 50} cy={y + 50} r={takes ? 44 : 14} />;
}

export function BoardView(props: BoardProps) {
  const { fen, flipped, movable, heat } = props;
  const pieces = usePlacedPieces(fen);
  const [selected, setSelected] = useState<Square | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [focus, setFocus] = useState<Square>("e2");
  const overlay = useRef<HTMLDivElement>(null);
  const start = useRef<Spot>({ x: 0, y: 0 });
  const wasSelected = useRef(false);
  const board = new Map(pieces.map((one) => [one.square, one.piece]));
  const targets = selected ? props.targets(selected) : [];

  useEffect(() => {
    setSelected(null);
    setDrag(null);
  }, [fen]);

  const canMove = (square: Square) => {
    const color = board.get(square)?.charAt(0) as Color | undefined;
    return color !== undefined && movable.includes(color) && props.targets(square).length > 0;
  };

  /** First click chooses a piece, second its goal. Gives whether a move was made. */
  const choose = (square: Square): boolean => {
    if (selected && selected !== square && targets.includes(square)) {
      setSelected(null);
      props.onMove(selected, square);
      return true;
    }
    setSelected(selected === square || !canMove(square) ? null : square);
    return false;
  };

  const placeOf = (event: PointerEvent): Spot => {
    const box = overlay.current?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    const at = placeOf(event);
    const square = squareAt(at.x, at.y, flipped);
    if (!square) return;
    if (selected && selected !== square && targets.includes(square)) {
      choose(square);
      return;
    }
    wasSelected.current = selected === square;
    if (!canMove(square)) {
      setSelected(null);
      return;
    }
    start.current = { x: event.clientX, y: event.clientY };
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    setSelected(square);
    setDrag({ from: square, at, moved: false });
  };

  const onPointerMove = (event: PointerEvent) => {
    if (!drag) return;
    const far = Math.hypot(event.clientX - start.current.x, event.clientY - start.current.y) > DRAG_STARTS_AT;
    setDrag({ ...drag, at: placeOf(event), moved: drag.moved || far });
  };

  const onPointerUp = (event: PointerEvent) => {
    if (!drag) return;
    const at = placeOf(event);
    const square = squareAt(at.x, at.y, flipped);
    setDrag(null);
    if (drag.moved) {
      if (square && square !== drag.from && props.targets(drag.from).includes(square)) props.onMove(drag.from, square);
      setSelected(null);
    } else if (wasSelected.current) {
      setSelected(null);
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") setSelected(null);
    const next = nextSquare(focus, event.key, flipped);
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    setFocus(next);
    overlay.current?.querySelector<HTMLElement>(`[data-square="${next}"]`)?.focus();
  };

  const hovered = drag?.moved ? squareAt(drag.at.x, drag.at.y, flipped) : null;
  const squares = flipped ? [...SQUARES].reverse() : SQUARES;
  return (
    <div class="board">
      <svg viewBox="0 0 800 800" aria-hidden="true">
        <Squares flipped={flipped} />
        {props.lastMove?.map((square) => <Mark key={`last-${square}`} square={square} flipped={flipped} kind="last" />)}
        {props.check && <Mark square={props.check} flipped={flipped} kind="check" />}
        {selected && <Mark square={selected} flipped={flipped} kind="selected" />}
        {hovered && <Mark square={hovered} flipped={flipped} kind="hovered" />}
        {heat &&
          [...heat].map(([square, { fill }]) => {
            const { x, y } = cornerOf(square, flipped);
            return <rect key={`heat-${square}`} class="heat" x={x} y={y} width={SIDE} height={SIDE} fill={fill} />;
          })}
        <g class="pieces">
          {pieces.map(({ id, piece, square }) => {
            const lifted = drag?.moved === true && drag.from === square;
            const { x, y } = cornerOf(square, flipped);
            return (
              <g key={id} class={lifted ? "piece lifted" : "piece"} style={{ transform: `translate(${x}px, ${y}px)` }}>
                <Piece name={piece} />
              </g>
            );
          })}
        </g>
        {drag?.moved && (
          <g class="dragged" transform={`translate(${drag.at.x * 800 - 50} ${drag.at.y * 800 - 50})`}>
            <Piece name={board.get(drag.from) ?? ""} />
          </g>
        )}
        {targets.map((square) => (
          <Target key={`target-${square}`} square={square} flipped={flipped} takes={board.has(square)} />
        ))}
        {heat &&
          [...heat].map(([square, { text }]) => {
            const { x, y } = cornerOf(square, flipped);
            return <text key={`figure-${square}`} class="heat-figure" x={x + 50} y={y + 95} text-anchor="middle">{text}</text>;
          })}
        {props.arrows?.map((arrow) => (
          <path key={`${arrow.from}${arrow.to}`} class={`arrow rank-${Math.min(arrow.rank, 4)}`} d={arrowPath(arrow.from, arrow.to, flipped, arrow.rank === 1 ? 20 : 14)} />
        ))}
      </svg>
      <div
        ref={overlay}
        class={drag?.moved ? "overlay dragging" : "overlay"}
        role="group"
        aria-label={props.label}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => setDrag(null)}
        onKeyDown={onKeyDown}
      >
        {squares.map((square) => {
          const piece = board.get(square);
          return (
            <button
              key={square}
              type="button"
              data-square={square}
              class={canMove(square) || targets.includes(square) ? "movable" : ""}
              tabIndex={square === focus ? 0 : -1}
              aria-label={`${square}${piece ? `, ${describePiece(piece)}` : ""}${targets.includes(square) ? ", possible goal" : ""}`}
              aria-pressed={square === selected}
              onFocus={() => setFocus(square)}
              // Pointers are served above; a click without one comes from the keyboard or a screen reader.
              onClick={(event) => event.detail === 0 && choose(square)}
            />
          );
        })}
      </div>
    </div>
  );
}
