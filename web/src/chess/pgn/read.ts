// A game as the server has parsed it, as a tree.
import type { PgnGame, PgnMove } from "../../api/types";
import { annotate, newTree, play, ROOT, type Node, type Tree } from "../tree";

function remarksOf(move: PgnMove): Partial<Node> {
  const comment = [...(move.before ?? []), ...(move.comments ?? [])].join(" ").trim();
  return {
    ...(comment ? { comment } : {}),
    ...(move.nags?.length ? { nags: move.nags } : {}),
    ...(move.clock !== undefined ? { clock: move.clock } : {}),
  };
}

function addLine(tree: Tree, from: number, line: readonly PgnMove[]): Tree {
  let result = tree;
  let at = from;
  for (const move of line) {
    const before = at;
    const played = play(result, at, move, remarksOf(move));
    result = played.tree;
    at = played.at;
    for (const variation of move.variations ?? []) result = addLine(result, before, variation);
  }
  return result;
}

export function treeOf(game: PgnGame): Tree {
  const headers = { ...game.tags };
  delete headers["FEN"];
  delete headers["SetUp"];
  if (game.result && game.result !== "*") headers["Result"] = game.result;
  const tree = addLine(newTree(game.start, game.chess960, headers), ROOT, game.line);
  const comment = (game.comments ?? []).join(" ").trim();
  return comment ? annotate(tree, ROOT, { comment }) : tree;
}
