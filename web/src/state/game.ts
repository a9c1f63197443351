// The game on the board: a tree of moves and a place in it.
import { batch, computed, effect, signal } from "@preact/signals";
import { ApiError, post } from "../api/client";
import type { GameRequest, PgnAnswer } from "../api/types";
import { completeFen, looksLikeFen, needsChess960, START_FEN, turnOf } from "../chess/fen";
import { gameName, splitGames, type ListedGame } from "../chess/pgn/split";
import { treeOf } from "../chess/pgn/read";
import { isThreefold, type Situation } from "../chess/rules";
import { rulesOf, standardRules } from "../chess/server_rules";
import * as trees from "../chess/tree";
import type { Move, Tree } from "../chess/tree";
import { epoch } from "./connection";
import { say, tell } from "./notices";

export const tree = signal<Tree>(trees.newTree());
export const at = signal(trees.ROOT);

export const current = computed(() => trees.node(tree.value, at.value));
export const fen = computed(() => current.value.fen);
export const turn = computed(() => turnOf(fen.value));
/** Ids of the line through the current move, the root left out. */
export const line = computed(() => trees.lineThrough(tree.value, at.value));
/** Number of moves of `line` that lead to the current position. */
export const depth = computed(() => trees.pathTo(tree.value, at.value).length);

/** Text of an opened file with its games; null where there is none. */
export const collection = signal<{ text: string; games: ListedGame[] } | null>(null);
export const openedGame = signal(0);

const NO_MOVES: Situation = { moves: [], outcome: null, check: false };
export const situation = signal<Situation>(NO_MOVES);

/** The end of the game at the current node, repetition included. */
export const outcome = computed(() => {
  const ended = situation.value.outcome;
  if (ended) return ended;
  const fens = [trees.startFen(tree.value), ...trees.pathTo(tree.value, at.value).map((id) => trees.node(tree.value, id).fen)];
  return isThreefold(fens) ? { result: "1/2-1/2", reason: "threefold repetition" } : null;
});

/** The game up to a node, as requests carry it. */
export function gameTo(id: number): GameRequest {
  return { fen: trees.startFen(tree.peek()), moves: trees.movesTo(tree.peek(), id), chess960: tree.peek().chess960 };
}

export function watchSituation(): void {
  effect(() => {
    const position = fen.value;
    const chess960 = tree.value.chess960;
    if (!chess960) {
      try {
        situation.value = standardRules.situationNow(position);
      } catch (error) {
        situation.value = NO_MOVES;
        tell(`this is no legal position: ${(error as Error).message}`);
      }
      return;
    }
    // A position that the server could not be asked about is asked about again when it is back.
    void epoch.value;
    situation.value = NO_MOVES;
    void rulesOf(true)
      .situation(position)
      .then((found) => {
        if (fen.peek() === position) situation.value = found;
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError && !error.isOffline) tell(error.message, error.hint);
      });
  });
}

export function goTo(id: number): void {
  if (tree.peek().nodes[id]) at.value = id;
}

export function step(direction: 1 | -1): void {
  const here = current.peek();
  const next = direction === 1 ? here.children[0] : here.parent;
  if (next !== undefined && next >= 0) at.value = next;
}

export function toStart(): void {
  at.value = trees.ROOT;
}

export function toEnd(): void {
  at.value = line.peek().at(-1) ?? trees.ROOT;
}

/** Plays a legal move of the current position. */
export function playMove(move: Move, extra: { clock?: number } = {}): void {
  const played = trees.play(tree.peek(), at.peek(), move, extra);
  batch(() => {
    tree.value = played.tree;
    at.value = played.at;
  });
}

/** Legal moves from a square to another; castling may be shown by its rook or by its king's goal. */
export function movesBetween(from: string, to: string): Move[] {
  const moves = situation.peek().moves.filter((move) => move.uci.startsWith(from));
  const direct = moves.filter((move) => move.uci.slice(2, 4) === to);
  if (direct.length > 0) return direct;
  return moves.filter((move) => {
    const rank = from.charAt(1);
    if (move.san.startsWith("O-O-O")) return to === `c${rank}` || to === `a${rank}`;
    return move.san.startsWith("O-O") && (to === `g${rank}` || to === `h${rank}`);
  });
}

/** Plays what a person typed, in SAN or UCI; says why where it cannot be played. */
export async function playText(text: string): Promise<boolean> {
  const wanted = text.trim().replace(/[!?+#]+$/, "").replaceAll("0", "O");
  const plain = (san: string) => san.replace(/[+#]$/, "");
  const moves = situation.peek().moves;
  const exact = moves.find((move) => plain(move.san) === wanted || move.uci === text.trim().toLowerCase());
  const found = exact ?? (await rulesOf(tree.peek().chess960).line(fen.peek(), [text.trim()]))[0];
  if (!found) {
    tell(`${text} cannot be played here`, "write moves as Nf3, exd5, O-O or g1f3");
    return false;
  }
  playMove(found);
  return true;
}

export function setTree(next: Tree, place: number = trees.ROOT): void {
  batch(() => {
    tree.value = next;
    at.value = next.nodes[place] ? place : trees.ROOT;
  });
}

export function newGame(start = START_FEN, chess960 = false, headers: trees.Headers = {}): void {
  setTree(trees.newTree(start, chess960, headers));
}

export function deleteFrom(id: number): void {
  const parent = trees.node(tree.peek(), id).parent;
  const inside = trees.pathTo(tree.peek(), at.peek()).includes(id);
  batch(() => {
    tree.value = trees.remove(tree.peek(), id);
    if (inside) at.value = parent;
  });
}

export function promoteLine(id: number): void {
  tree.value = trees.promote(tree.peek(), id);
}

async function openPgnText(text: string): Promise<void> {
  const answer = await post<PgnAnswer>("pgn", { pgn: text, game: 0 });
  const broken = answer.broken[0];
  if (!answer.game) throw new ApiError(broken?.message ?? "there is no game in this text", 400);
  if (broken) tell(`this game could be read in part only: ${broken.message}`);
  setTree(treeOf(answer.game));
}

export async function openGame(index: number): Promise<void> {
  const opened = collection.peek();
  const game = opened?.games[index];
  if (!opened || !game) return;
  try {
    await openPgnText(opened.text.slice(game.start, game.end));
    openedGame.value = index;
    say(`${gameName(game.headers)} is on the board`);
  } catch (error) {
    if (error instanceof ApiError) tell(error.message, error.hint);
    else throw error;
  }
}

/** Takes a FEN, or PGN with one or many games. */
export async function openText(text: string): Promise<"fen" | "game" | "games" | null> {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  if (looksLikeFen(trimmed)) return (await openFen(completeFen(trimmed))) ? "fen" : null;
  const games = splitGames(text);
  collection.value = games.length > 1 ? { text, games } : null;
  if (games.length > 1) {
    await openGame(0);
    return "games";
  }
  try {
    await openPgnText(text);
    return "game";
  } catch (error) {
    if (error instanceof ApiError) tell(error.message, error.hint || "paste a FEN, or games in PGN");
    else throw error;
    return null;
  }
}

export async function openFen(text: string): Promise<boolean> {
  const chess960 = needsChess960(text);
  try {
    await rulesOf(chess960).situation(text);
  } catch (error) {
    tell(`this is no legal position: ${(error as Error).message}`);
    return false;
  }
  newGame(text, chess960);
  return true;
}
