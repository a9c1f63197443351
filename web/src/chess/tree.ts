// A game as a tree of moves. Trees are values: every change gives a new one, ids of nodes stay.
import { plyOf, START_FEN } from "./fen";

/** A move that the rules have confirmed, with the position it leads to. */
export interface Move {
  readonly uci: string;
  readonly san: string;
  readonly fen: string;
}

export interface Node extends Move {
  readonly id: number;
  /** -1 for the root, which has no move. */
  readonly parent: number;
  readonly children: readonly number[];
  readonly comment?: string;
  readonly nags?: readonly number[];
  /** Milliseconds left on the clock of the side that moved. */
  readonly clock?: number;
}

export type Headers = Readonly<Record<string, string>>;

export interface Tree {
  readonly chess960: boolean;
  readonly headers: Headers;
  /** Indexed by id; removed nodes stay in the array but hang on nothing. */
  readonly nodes: readonly Node[];
}

export const ROOT = 0;

export function newTree(fen = START_FEN, chess960 = false, headers: Headers = {}): Tree {
  return { chess960, headers, nodes: [{ id: ROOT, parent: -1, children: [], uci: "", san: "", fen }] };
}

export function node(tree: Tree, id: number): Node {
  const found = tree.nodes[id];
  if (!found) throw new Error(`a tree of ${tree.nodes.length} nodes has no node ${id}`);
  return found;
}

export function startFen(tree: Tree): string {
  return node(tree, ROOT).fen;
}

function replaced(tree: Tree, ...changed: Node[]): Tree {
  const nodes = [...tree.nodes];
  for (const one of changed) nodes[one.id] = one;
  return { ...tree, nodes };
}

/** Plays a move at a node. A move that is there already is followed, not doubled. */
export function play(tree: Tree, at: number, move: Move, extra: Partial<Node> = {}): { tree: Tree; at: number } {
  const parent = node(tree, at);
  const known = parent.children.find((id) => node(tree, id).uci === move.uci);
  if (known !== undefined) return { tree, at: known };
  const id = tree.nodes.length;
  const child: Node = {
    ...extra,
    id,
    parent: at,
    children: [],
    uci: move.uci,
    san: move.san,
    fen: move.fen,
  };
  return { tree: replaced(tree, { ...parent, children: [...parent.children, id] }, child), at: id };
}

export function annotate(tree: Tree, id: number, change: Partial<Pick<Node, "comment" | "nags" | "clock">>): Tree {
  return replaced(tree, { ...node(tree, id), ...change });
}

/** Takes a move and everything after it out of the game. */
export function remove(tree: Tree, id: number): Tree {
  if (id === ROOT) return tree;
  const parent = node(tree, node(tree, id).parent);
  return replaced(tree, { ...parent, children: parent.children.filter((child) => child !== id) });
}

/** Makes the variation through a node the main line. */
export function promote(tree: Tree, id: number): Tree {
  let result = tree;
  for (let at = id; at !== ROOT; ) {
    const parent = node(result, node(result, at).parent);
    const rest = parent.children.filter((child) => child !== at);
    result = replaced(result, { ...parent, children: [at, ...rest] });
    at = parent.id;
  }
  return result;
}

/** Ids from the root, which is left out, to the node. */
export function pathTo(tree: Tree, id: number): number[] {
  const path: number[] = [];
  for (let at = id; at !== ROOT; at = node(tree, at).parent) path.push(at);
  return path.reverse();
}

/** The path to a node and the first continuation behind it. */
export function lineThrough(tree: Tree, id: number): number[] {
  const line = pathTo(tree, id);
  for (let next = node(tree, id).children[0]; next !== undefined; next = node(tree, next).children[0]) {
    line.push(next);
  }
  return line;
}

export function mainLine(tree: Tree): number[] {
  return lineThrough(tree, ROOT);
}

export function plyAt(tree: Tree, id: number): number {
  return plyOf(startFen(tree)) + pathTo(tree, id).length;
}

export function movesTo(tree: Tree, id: number): string[] {
  return pathTo(tree, id).map((step) => node(tree, step).uci);
}

/** "12.", or "12..." where Black moves. `ply` counts the half-moves played before the move. */
export function moveNumber(ply: number): string {
  return `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "..."}`;
}

/** Number and move, as in "12...Nf6". */
export function moveName(tree: Tree, id: number): string {
  return moveNumber(plyAt(tree, id) - 1) + node(tree, id).san;
}

/** Whether a node lies on the main line. */
export function onMainLine(tree: Tree, id: number): boolean {
  return pathTo(tree, id).every((step) => node(tree, node(tree, step).parent).children[0] === step);
}
