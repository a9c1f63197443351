// Moving about the board by keyboard.
import { fileOf, rankOf, squareOf, type Square } from "../chess/fen";

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The square that an arrow key leads to, as the board is seen; null for other keys and at the edge. */
export function nextSquare(from: Square, key: string, flipped: boolean): Square | null {
  const step = STEPS[key];
  if (!step) return null;
  const sign = flipped ? -1 : 1;
  const file = fileOf(from) + sign * step[0];
  const rank = rankOf(from) + sign * step[1];
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? from : squareOf(file, rank);
}
