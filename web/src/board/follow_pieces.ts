// Which piece of one position is which of the next, so that pieces slide instead of blinking.
import { fileOf, rankOf, type Board, type Piece, type Square } from "../chess/fen";

export interface PlacedPiece {
  id: number;
  piece: Piece;
  square: Square;
}

function distance(a: Square, b: Square): number {
  return Math.abs(fileOf(a) - fileOf(b)) + Math.abs(rankOf(a) - rankOf(b));
}

/** Pieces that stay keep their id, others take that of the nearest one of their kind that is gone. */
export function followPieces(before: readonly PlacedPiece[], board: Board, newId: () => number): PlacedPiece[] {
  const staying = before.filter((one) => board.get(one.square) === one.piece);
  const taken = new Set(staying.map((one) => one.square));
  const gone = before.filter((one) => !staying.includes(one));
  const placed = [...staying];
  for (const [square, piece] of board) {
    if (taken.has(square)) continue;
    const candidates = gone.filter((one) => one.piece === piece);
    candidates.sort((a, b) => distance(a.square, square) - distance(b.square, square));
    const nearest = candidates[0];
    if (nearest) gone.splice(gone.indexOf(nearest), 1);
    placed.push({ id: nearest?.id ?? newId(), piece, square });
  }
  // A steady order of elements: a browser restarts the animation of an element that is moved.
  return placed.sort((a, b) => a.id - b.id);
}
