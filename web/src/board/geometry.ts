// Squares on the drawing of a board, which is 800 units wide and may be seen from either side.
import { fileOf, rankOf, squareOf, type Square } from "../chess/fen";

export const SIDE = 100;

export interface Spot {
  x: number;
  y: number;
}

/** The upper left corner of a square. */
export function cornerOf(square: Square, flipped: boolean): Spot {
  const file = flipped ? 7 - fileOf(square) : fileOf(square);
  const rank = flipped ? rankOf(square) : 7 - rankOf(square);
  return { x: file * SIDE, y: rank * SIDE };
}

export function centreOf(square: Square, flipped: boolean): Spot {
  const { x, y } = cornerOf(square, flipped);
  return { x: x + SIDE / 2, y: y + SIDE / 2 };
}

/** The square at a place given as shares of width and height; null outside the board. */
export function squareAt(x: number, y: number, flipped: boolean): Square | null {
  const column = Math.floor(x * 8);
  const row = Math.floor(y * 8);
  if (column < 0 || column > 7 || row < 0 || row > 7) return null;
  return flipped ? squareOf(7 - column, row) : squareOf(column, 7 - row);
}

/** The outline of an arrow from one square's centre to another's. */
export function arrowPath(from: Square, to: Square, flipped: boolean, width: number): string {
  const a = centreOf(from, flipped);
  const b = centreOf(to, flipped);
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const u = { x: (b.x - a.x) / length, y: (b.y - a.y) / length };
  const at = (along: number, across: number) =>
    `${(a.x + u.x * along - u.y * across).toFixed(1)} ${(a.y + u.y * along + u.x * across).toFixed(1)}`;
  const half = width / 2;
  const tip = length - 14;
  const neck = tip - width * 1.8;
  const start = 28;
  return `M${at(start, half)}L${at(neck, half)}L${at(neck, width * 1.35)}L${at(tip, 0)}L${at(neck, -width * 1.35)}L${at(neck, -half)}L${at(start, -half)}Z`;
}
