// The address brings back what it was made from, and takes any text without harm.
import { describe, expect, it } from "vitest";
import { StandardRules } from "../src/chess/rules";
import { newTree, node, play, ROOT, type Tree } from "../src/chess/tree";
import { decodeMoves, DEFAULT_ADDRESS, encodeMoves, formatAddress, listMoves, parseAddress } from "../src/state/address";
import { START_FEN } from "../src/chess/fen";

const rules = new StandardRules();

/** Plays moves one after another; gives the tree and the ids. */
function extend(tree: Tree, from: number, moves: string[]): { tree: Tree; ids: number[] } {
  const ids: number[] = [];
  let at = from;
  for (const move of rules.lineNow(node(tree, from).fen, moves)) {
    const played = play(tree, at, move);
    tree = played.tree;
    at = played.at;
    ids.push(at);
  }
  return { tree, ids };
}

function italianWithVariations(): { tree: Tree; ids: number[] } {
  const main = extend(newTree(), ROOT, ["e4", "e5", "Nf3", "Nc6", "Bc4"]);
  const sicilian = extend(main.tree, main.ids[0]!, ["c5", "Nf3", "d6"]);
  const najdorf = extend(sicilian.tree, sicilian.ids[0]!, ["Nc3"]);
  const french = extend(najdorf.tree, main.ids[0]!, ["e6"]);
  return { tree: french.tree, ids: [...main.ids, ...sicilian.ids] };
}

describe("moves in an address", () => {
  it("come back in the order of the link, with their parents", () => {
    const { tree } = italianWithVariations();
    const { text } = encodeMoves(tree, ROOT);
    expect(text).toMatch(/^[A-Za-z0-9_\-()]+$/);
    expect(listMoves(decodeMoves(text))).toEqual([
      { uci: "e2e4", parent: 0 },
      { uci: "e7e5", parent: 1 },
      { uci: "c7c5", parent: 1 },
      { uci: "g1f3", parent: 3 },
      { uci: "b1c3", parent: 3 },
      { uci: "d7d6", parent: 4 },
      { uci: "e7e6", parent: 1 },
      { uci: "g1f3", parent: 2 },
      { uci: "b8c6", parent: 8 },
      { uci: "f1c4", parent: 9 },
    ]);
  });

  it("number the current move as the list does", () => {
    const { tree, ids } = italianWithVariations();
    for (const id of ids) {
      const { text, at } = encodeMoves(tree, id);
      const listed = listMoves(decodeMoves(text))[at - 1];
      expect(listed?.uci).toBe(node(tree, id).uci);
    }
  });

  it("keep promotions", () => {
    const start = newTree("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    const { tree } = extend(start, ROOT, ["a8=N"]);
    expect(listMoves(decodeMoves(encodeMoves(tree, ROOT).text))).toEqual([{ uci: "a7a8n", parent: 0 }]);
  });

  it("take two characters each", () => {
    const { tree } = extend(newTree(), ROOT, ["e4", "e5", "Nf3"]);
    expect(encodeMoves(tree, ROOT).text).toHaveLength(6);
  });

  it("end where a damaged link ends", () => {
    for (const text of ["", "(", ")", "e", "((((", "iM(", "iM(xx", "iM*", "iM*k", "iM)iM", "%%%", "iMiM((iM)"]) {
      expect(() => listMoves(decodeMoves(text))).not.toThrow();
    }
    expect(listMoves(decodeMoves("jb~~"))).toHaveLength(1);
  });
});

describe("an address", () => {
  const fields = { view: "review", model: "mini", plan: "paper", anchored: true, layout: "axis", flipped: true, heat: true, watch: "m0", side: "b" } as const;

  it("is empty for the page as it opens", () => {
    expect(formatAddress(DEFAULT_ADDRESS, newTree(), ROOT)).toBe("");
    expect(parseAddress("")).toEqual(DEFAULT_ADDRESS);
  });

  it("brings back view, game, names and settings", () => {
    const fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 12";
    const { tree, ids } = extend(newTree(fen, false, { White: "Ana & Bo", Black: "Zoë #1" }), ROOT, ["O-O", "O-O-O"]);
    const parsed = parseAddress(`#${formatAddress(fields, tree, ids[1]!)}`);
    expect(parsed).toMatchObject({ ...fields, fen, at: 2, white: "Ana & Bo", black: "Zoë #1" });
    expect(listMoves(parsed.moves).map((move) => move.uci)).toEqual(["e8g8", "e1c1"]);
  });

  it("says that a game is Chess960", () => {
    const fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    expect(parseAddress(formatAddress(DEFAULT_ADDRESS, newTree(fen, true), ROOT))).toMatchObject({ fen, chess960: true });
  });

  it("falls back to what it knows", () => {
    expect(parseAddress("#v=nonsense&p=zzz&at=-4&l=9&s=q&g=!!")).toEqual({ ...DEFAULT_ADDRESS, moves: [] });
    expect(parseAddress("#at=1e99").at).toBe(0);
    expect(parseAddress("#f=").fen).toBe(START_FEN);
  });
});
