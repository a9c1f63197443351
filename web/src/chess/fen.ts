// FEN as text: its fields and its board. Whether a position is legal is for the rules to say.

export const START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
export const EMPTY_BOARD = "8/8/8/8/8/8/8/8";

export type Color = "w" | "b";
/** "a1" to "h8". */
export type Square = string;
/** Colour and kind: "wK", "bP". */
export type Piece = string;
export type Board = Map<Square, Piece>;

const FILES = "abcdefgh";
export const KINDS = ["K", "Q", "R", "B", "N", "P"] as const;

export function squareOf(file: number, rank: number): Square {
  return FILES.charAt(file) + String(rank + 1);
}

export function fileOf(square: Square): number {
  return FILES.indexOf(square.charAt(0));
}

export function rankOf(square: Square): number {
  return Number(square.charAt(1)) - 1;
}

/** All squares from a8 to h1, in the order of a FEN. */
export const SQUARES: readonly Square[] = Array.from({ length: 64 }, (_, i) =>
  squareOf(i % 8, 7 - Math.floor(i / 8)),
);

export function turnOf(fen: string): Color {
  return fen.split(" ")[1] === "b" ? "b" : "w";
}

export function opposite(color: Color): Color {
  return color === "w" ? "b" : "w";
}

/** Number of half-moves played before this position, by the counters of the FEN. */
export function plyOf(fen: string): number {
  const number = Number(fen.split(" ")[5] ?? 1);
  return 2 * (Math.max(1, Number.isFinite(number) ? number : 1) - 1) + (turnOf(fen) === "b" ? 1 : 0);
}

/** The pieces of a FEN; empty where the first field is no board. */
export function boardOf(fen: string): Board {
  const board: Board = new Map();
  const rows = (fen.trim().split(/\s+/)[0] ?? "").split("/");
  rows.slice(0, 8).forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/[1-8]/.test(letter)) {
        file += Number(letter);
      } else if (/[kqrbnp]/i.test(letter) && file < 8) {
        const color = letter === letter.toUpperCase() ? "w" : "b";
        board.set(squareOf(file, 7 - index), color + letter.toUpperCase());
        file += 1;
      }
    }
  });
  return board;
}

export function placementOf(board: Board): string {
  const rows: string[] = [];
  for (let rank = 7; rank >= 0; rank--) {
    let row = "";
    let empty = 0;
    for (let file = 0; file < 8; file++) {
      const piece = board.get(squareOf(file, rank));
      if (!piece) {
        empty += 1;
        continue;
      }
      row += (empty ? String(empty) : "") + letterOf(piece);
      empty = 0;
    }
    rows.push(row + (empty ? String(empty) : ""));
  }
  return rows.join("/");
}

export function letterOf(piece: Piece): string {
  const kind = piece.charAt(1);
  return piece.startsWith("w") ? kind : kind.toLowerCase();
}

/** Whether a text has the shape of a FEN: eight rows of eight, and a side to move if there is more. */
export function looksLikeFen(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  const rows = (fields[0] ?? "").split("/");
  if (rows.length !== 8 || fields.length > 6) return false;
  const full = rows.every((row) => {
    if (!/^[1-8kqrbnp]+$/i.test(row)) return false;
    return [...row].reduce((sum, c) => sum + (/\d/.test(c) ? Number(c) : 1), 0) === 8;
  });
  return full && (fields.length === 1 || fields[1] === "w" || fields[1] === "b");
}

/** Fills missing fields: White to move, no castling, no en passant. */
export function completeFen(text: string): string {
  const fields = text.trim().split(/\s+/);
  const defaults = ["", "w", "-", "-", "0", "1"];
  return defaults.map((value, i) => fields[i] ?? value).join(" ");
}

/**
 * Whether the castling rights need the rules of Chess960: named by files, or of a king or rook that
 * does not stand where standard chess has it.
 */
export function needsChess960(fen: string): boolean {
  const rights = fen.trim().split(/\s+/)[2] ?? "-";
  if (rights === "-") return false;
  if (/[a-hA-H]/.test(rights)) return true;
  const board = boardOf(fen);
  const stands = (square: Square, piece: Piece) => board.get(square) === piece;
  return [...rights].some((right) => {
    const color = right === right.toUpperCase() ? "w" : "b";
    const rank = color === "w" ? "1" : "8";
    const rook = (right.toUpperCase() === "K" ? "h" : "a") + rank;
    return !stands("e" + rank, color + "K") || !stands(rook, color + "R");
  });
}

export const PIECE_NAMES: Record<string, string> = {
  K: "king",
  Q: "queen",
  R: "rook",
  B: "bishop",
  N: "knight",
  P: "pawn",
};

export function describePiece(piece: Piece): string {
  return `${piece.startsWith("w") ? "white" : "black"} ${PIECE_NAMES[piece.charAt(1)] ?? "piece"}`;
}
