// PGN in and out: lists of many games, games as the server parses them, and text that reads back.
import { Chess } from "chess.js";
import { describe, expect, it } from "vitest";
import type { PgnGame } from "../src/api/types";
import { treeOf } from "../src/chess/pgn/read";
import { gameName, gamePlace, splitGames } from "../src/chess/pgn/split";
import { toPgn } from "../src/chess/pgn/write";
import { StandardRules } from "../src/chess/rules";
import { annotate, mainLine, newTree, node, play, ROOT, type Tree } from "../src/chess/tree";

const rules = new StandardRules();

function line(fen: string, ...moves: string[]) {
  return rules.lineNow(fen, moves);
}

describe("a list of games", () => {
  const two = `[Event "A"]\n[White "X"]\n[Black "Y"]\n\n1. e4 { a comment\n[Event "not a tag"] } e5 1-0\n\n[Event "B \\"C\\""]\n[Result "0-1"]\n\n1. d4 0-1\n`;

  it("tells tags from comments that look like tags", () => {
    const games = splitGames(two);
    expect(games.map((game) => game.headers["Event"])).toEqual(["A", 'B "C"']);
    expect(two.slice(games[1]!.start, games[1]!.end)).toMatch(/^\[Event "B/);
    expect(two.slice(games[0]!.start, games[0]!.end)).toContain("1-0");
  });

  it("covers the whole text, whatever the line ends", () => {
    const games = splitGames(two.replaceAll("\n", "\r\n"));
    expect(games).toHaveLength(2);
    expect(games[1]!.end).toBe(two.replaceAll("\n", "\r\n").length);
  });

  it("takes moves without tags and tags without moves", () => {
    expect(splitGames("1. e4 e5 *")).toHaveLength(1);
    expect(splitGames('[Event "x"]\n')).toHaveLength(1);
    expect(splitGames(" \n\n")).toHaveLength(0);
    expect(splitGames("% a line for programs\n")).toHaveLength(0);
  });

  it("is quick for a large file", () => {
    const games = splitGames(two.repeat(20000));
    expect(games).toHaveLength(40000);
  });

  it("names games by what is known", () => {
    expect(gameName({ White: "Tal", Black: "Botvinnik" })).toBe("Tal – Botvinnik");
    expect(gameName({ White: "?", Black: "?", Event: "Simul" })).toBe("Simul");
    expect(gameName({})).toBe("Game");
    expect(gamePlace({ Event: "Wch", Site: "?", Date: "1960.??.??" })).toBe("Wch, 1960");
  });
});

describe("a parsed game", () => {
  const start = newTree().nodes[0]!.fen;
  const [e4, e5] = line(start, "e4", "e5");
  const [c5] = line(e4!.fen, "c5");
  const game: PgnGame = {
    tags: { White: "A", FEN: "x", SetUp: "1", Result: "*" },
    result: "1-0",
    start,
    chess960: false,
    comments: ["before"],
    line: [{ ...e4!, nags: [1], clock: 60000 }, { ...e5!, comments: ["solid"], variations: [[{ ...c5!, comments: ["sharp"] }]] }],
  };

  it("becomes a tree with its variations, comments and clocks", () => {
    const tree = treeOf(game);
    const [first, second] = mainLine(tree).map((id) => node(tree, id));
    expect(first).toMatchObject({ san: "e4", nags: [1], clock: 60000 });
    expect(second).toMatchObject({ san: "e5", comment: "solid" });
    expect(node(tree, first!.children[1]!)).toMatchObject({ san: "c5", comment: "sharp" });
    expect(node(tree, ROOT).comment).toBe("before");
    expect(tree.headers).toEqual({ White: "A", Result: "1-0" });
  });

  it("is written with all of that", () => {
    const text = toPgn(treeOf(game));
    expect(text).toContain('[White "A"]');
    expect(text.split("\n\n")[1]?.replace("\n1-0", " 1-0")).toBe("{ before } 1. e4 $1 { [%clk 0:01:00] } 1... e5 { solid } (1... c5 { sharp }) 1-0\n");
  });
});

describe("written PGN", () => {
  function gameOf(fen: string | undefined, moves: string[]): Tree {
    let place = { tree: newTree(fen), at: ROOT };
    for (const move of line(node(place.tree, ROOT).fen, ...moves)) place = play(place.tree, place.at, move);
    return place.tree;
  }

  it("is read back by another program", () => {
    const moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "f6", "d4", "exd4", "Nxd4", "c5"];
    const chess = new Chess();
    chess.loadPgn(toPgn(gameOf(undefined, moves)));
    expect(chess.history()).toEqual(moves);
  });

  it("says where the game starts", () => {
    const fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 31";
    const chess = new Chess();
    chess.loadPgn(toPgn(gameOf(fen, ["Kd7", "e4"])));
    expect(chess.history()).toEqual(["Kd7", "e4"]);
    expect(chess.getHeaders()["FEN"]).toBe(fen);
  });

  it("keeps lines short and quotes and braces harmless", () => {
    const tree = annotate(gameOf(undefined, ["e4"]), 1, { comment: "a } b { c" });
    const text = toPgn({ ...tree, headers: { White: 'A "B" \\' } });
    expect(text).toContain('[White "A \\"B\\" \\\\"]');
    expect(text).toContain("{ a | b | c }");
    expect(Math.max(...toPgn(gameOf(undefined, ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1", "b5", "Bb3", "d6", "c3", "O-O", "h3", "Nb8"])).split("\n").map((row) => row.length))).toBeLessThan(80);
  });
});
