// Rules and FENs.
import { describe, expect, it } from "vitest";
import { boardOf, completeFen, looksLikeFen, needsChess960, placementOf, plyOf, START_FEN } from "../src/chess/fen";
import { isThreefold, StandardRules } from "../src/chess/rules";

const rules = new StandardRules();

describe("standard rules", () => {
  it("know twenty first moves", () => {
    expect(rules.situationNow(START_FEN).moves).toHaveLength(20);
  });

  it("take UCI, SAN, zeros for castling and king takes rook", () => {
    const fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    expect(rules.lineNow(fen, ["0-0-0", "e8h8"]).map((move) => move.san)).toEqual(["O-O-O", "O-O"]);
    expect(rules.lineNow(START_FEN, ["e2e4", "e5"]).map((move) => move.uci)).toEqual(["e2e4", "e7e5"]);
  });

  it("stop before a move that is not legal", () => {
    expect(rules.lineNow(START_FEN, ["e4", "e4", "e5"])).toHaveLength(1);
  });

  it("end games", () => {
    const mated = rules.lineNow(START_FEN, ["f3", "e5", "g4", "Qh4"]).at(-1)!;
    expect(rules.situationNow(mated.fen).outcome).toEqual({ result: "0-1", reason: "checkmate" });
    expect(rules.situationNow("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").outcome).toMatchObject({ result: "1/2-1/2", reason: "stalemate" });
    expect(rules.situationNow("8/8/8/8/8/8/k7/2K5 w - - 0 1").outcome).toMatchObject({ reason: "insufficient material" });
  });

  it("reject what is no position", async () => {
    await expect(rules.situation("8/8/8/8/8/8/8/8 w - - 0 1")).rejects.toThrow();
  });

  it("see a repetition, whatever the counters", () => {
    const fens = [START_FEN, ...rules.lineNow(START_FEN, ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1", "Ng8"]).map((move) => move.fen)];
    expect(isThreefold(fens)).toBe(true);
    expect(isThreefold(fens.slice(0, -1))).toBe(false);
  });
});

describe("a FEN", () => {
  it("comes back from its board", () => {
    const placement = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR";
    expect(placementOf(boardOf(placement))).toBe(placement);
  });

  it("is told from PGN and nonsense", () => {
    expect(looksLikeFen(START_FEN)).toBe(true);
    expect(looksLikeFen("8/8/8/8/8/8/8/8")).toBe(true);
    for (const text of ["1. e4 e5", "", "8/8/8/8/8/8/8/9 w", "8/8/8/8/8/8/8/7 w", `${START_FEN} x`, "8/8/8/8/8/8/8/8 x"]) {
      expect(looksLikeFen(text)).toBe(false);
    }
  });

  it("is completed and counted", () => {
    expect(completeFen("8/8/8/8/8/8/8/8 b")).toBe("8/8/8/8/8/8/8/8 b - - 0 1");
    expect(plyOf("8/8/8/8/8/8/8/8 b - - 0 31")).toBe(61);
  });

  it("needs Chess960 where rights do not fit standard chess", () => {
    expect(needsChess960(START_FEN)).toBe(false);
    expect(needsChess960(START_FEN.replace("KQkq", "HAha"))).toBe(true);
    expect(needsChess960("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1")).toBe(true);
    expect(needsChess960("4k3/8/8/8/8/8/8/4K3 w - - 0 1")).toBe(false);
  });
});
