// Trees of moves keep variations, follow known moves and never change under a reader.
import { describe, expect, it } from "vitest";
import { StandardRules } from "../src/chess/rules";
import * as trees from "../src/chess/tree";

const rules = new StandardRules();

function played(tree: trees.Tree, at: number, ...moves: string[]) {
  let place = { tree, at };
  for (const move of rules.lineNow(trees.node(tree, at).fen, moves)) place = trees.play(place.tree, place.at, move);
  return place;
}

describe("a tree", () => {
  it("follows a move that is there instead of doubling it", () => {
    const once = played(trees.newTree(), trees.ROOT, "e4", "e5");
    const twice = played(once.tree, trees.ROOT, "e4");
    expect(twice.tree).toBe(once.tree);
    expect(trees.node(twice.tree, twice.at).san).toBe("e4");
  });

  it("keeps the first line as the main line and others as variations", () => {
    const main = played(trees.newTree(), trees.ROOT, "e4", "e5", "Nf3");
    const other = played(main.tree, trees.ROOT, "d4", "d5");
    expect(trees.mainLine(other.tree).map((id) => trees.node(other.tree, id).san)).toEqual(["e4", "e5", "Nf3"]);
    expect(trees.onMainLine(other.tree, other.at)).toBe(false);
    expect(trees.lineThrough(other.tree, other.at).map((id) => trees.node(other.tree, id).san)).toEqual(["d4", "d5"]);
  });

  it("makes a variation the main line, at every fork on the way", () => {
    const main = played(trees.newTree(), trees.ROOT, "e4", "e5");
    const fork = played(main.tree, trees.ROOT, "d4", "d5");
    const deep = played(fork.tree, trees.node(fork.tree, fork.at).parent, "Nf6");
    const promoted = trees.promote(deep.tree, deep.at);
    expect(trees.mainLine(promoted).map((id) => trees.node(promoted, id).san)).toEqual(["d4", "Nf6"]);
    expect(trees.onMainLine(promoted, deep.at)).toBe(true);
  });

  it("loses what follows a removed move and nothing else", () => {
    const main = played(trees.newTree(), trees.ROOT, "e4", "e5", "Nf3");
    const other = played(main.tree, trees.ROOT, "d4");
    const first = trees.mainLine(other.tree)[0]!;
    const left = trees.remove(other.tree, first);
    expect(trees.mainLine(left).map((id) => trees.node(left, id).san)).toEqual(["d4"]);
    expect(trees.mainLine(other.tree)).toHaveLength(3);
    expect(trees.remove(left, trees.ROOT)).toBe(left);
  });

  it("numbers moves by the position it starts from", () => {
    const black = trees.newTree("4k3/8/8/8/8/8/4P3/4K3 b - - 0 31");
    const line = played(black, trees.ROOT, "Kd7", "e4", "Ke6");
    const names = trees.mainLine(line.tree).map((id) => trees.moveName(line.tree, id));
    expect(names).toEqual(["31...Kd7", "32.e4", "32...Ke6"]);
  });

  it("says so when asked for a node that it does not have", () => {
    expect(() => trees.node(trees.newTree(), 5)).toThrow("has no node 5");
  });
});
