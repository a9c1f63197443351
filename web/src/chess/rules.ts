// The rules of chess: chess.js at once for standard chess, the server for Chess960.
import { Chess } from "chess.js";
import type { Move } from "./tree";

export interface Outcome {
  /** "1-0", "0-1", "1/2-1/2". */
  result: string;
  reason: string;
}

export interface Situation {
  moves: Move[];
  outcome: Outcome | null;
  check: boolean;
}

export interface Rules {
  /** Legal moves and the end of the game; rejects with a message where the FEN is not a position. */
  situation(fen: string): Promise<Situation>;
  /** Plays moves in SAN or UCI one after another; stops before the first that is not legal. */
  line(fen: string, moves: readonly string[]): Promise<Move[]>;
}

/** King takes rook, as Chess960 writes castling, in the king's two steps of standard chess. */
const CASTLING: Record<string, string> = { e1h1: "e1g1", e1a1: "e1c1", e8h8: "e8g8", e8a8: "e8c8" };

function isKing(chess: Chess, square: string): boolean {
  return chess.get(square as Parameters<Chess["get"]>[0])?.type === "k";
}

function playText(chess: Chess, text: string): Move | null {
  const plain = text.replace(/0-0-0/, "O-O-O").replace(/0-0/, "O-O");
  const uci = /^([a-h][1-8])([a-h][1-8])([qrbn])?$/.exec(plain);
  try {
    if (!uci) {
      const made = chess.move(plain, { strict: false });
      return { uci: made.lan, san: made.san, fen: chess.fen() };
    }
    const squares = `${uci[1]}${uci[2]}`;
    const steps = isKing(chess, uci[1] ?? "") ? (CASTLING[squares] ?? squares) : squares;
    const made = chess.move({ from: steps.slice(0, 2), to: steps.slice(2), promotion: uci[3] ?? "q" });
    return { uci: made.lan, san: made.san, fen: chess.fen() };
  } catch {
    return null;
  }
}

function outcomeOf(chess: Chess): Outcome | null {
  if (chess.isCheckmate()) {
    return { result: chess.turn() === "w" ? "0-1" : "1-0", reason: "checkmate" };
  }
  const draw = (reason: string): Outcome => ({ result: "1/2-1/2", reason });
  if (chess.isStalemate()) return draw("stalemate");
  if (chess.isInsufficientMaterial()) return draw("insufficient material");
  if (chess.isDrawByFiftyMoves()) return draw("fifty moves");
  return null;
}

export class StandardRules implements Rules {
  situation(fen: string): Promise<Situation> {
    return Promise.resolve().then(() => this.situationNow(fen));
  }

  situationNow(fen: string): Situation {
    const chess = new Chess(fen);
    const moves = chess.moves({ verbose: true }).map((m) => ({ uci: m.lan, san: m.san, fen: m.after }));
    return { moves, outcome: outcomeOf(chess), check: chess.inCheck() };
  }

  line(fen: string, moves: readonly string[]): Promise<Move[]> {
    return Promise.resolve().then(() => this.lineNow(fen, moves));
  }

  lineNow(fen: string, moves: readonly string[]): Move[] {
    const chess = new Chess(fen);
    const played: Move[] = [];
    for (const text of moves) {
      const move = playText(chess, text);
      if (!move) break;
      played.push(move);
    }
    return played;
  }
}

/** A position that has come three times, counters aside, in the line to it. */
export function isThreefold(fens: readonly string[]): boolean {
  const key = (fen: string) => fen.split(" ").slice(0, 4).join(" ");
  const last = fens.at(-1);
  return last !== undefined && fens.filter((fen) => key(fen) === key(last)).length >= 3;
}
