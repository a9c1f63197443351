// The state of the page in its address: a link reopens the same game, move and view. Pure functions;
// `session.ts` connects them with the browser.
import type { LayoutName, PlanName } from "../api/types";
import { START_FEN } from "../chess/fen";
import { node, ROOT, startFen, type Tree } from "../chess/tree";

export const VIEWS = ["play", "plan", "map", "review", "games", "watch"] as const;
export type View = (typeof VIEWS)[number];

/** A move and what follows it, by UCI only; the rules make a tree of it. */
export interface RawMove {
  uci: string;
  next: RawMove[];
}

export interface Address {
  view: View;
  fen: string;
  chess960: boolean;
  moves: RawMove[];
  /** The current node, counted in the order in which the link lists the moves; 0 is the start. */
  at: number;
  model: string;
  plan: PlanName;
  anchored: boolean;
  layout: LayoutName;
  flipped: boolean;
  heat: boolean;
  watch: string;
  /** The colour that a person plays against SOLIS; empty where nobody does. */
  side: "" | "w" | "b";
  white: string;
  black: string;
}

export const DEFAULT_ADDRESS: Address = {
  view: "play",
  fen: START_FEN,
  chess960: false,
  moves: [],
  at: 0,
  model: "",
  plan: "deep",
  anchored: false,
  layout: "umap",
  flipped: false,
  heat: false,
  watch: "",
  side: "",
  white: "",
  black: "",
};

// Moves: two characters, one per square, and "*" with a letter for a promotion. As in PGN, the other
// moves of a position follow the first in brackets.
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function squareCode(square: string): string {
  return ALPHABET.charAt((square.charCodeAt(0) - 97) * 8 + Number(square.charAt(1)) - 1);
}

function squareFrom(code: string): string | null {
  const index = ALPHABET.indexOf(code);
  if (index < 0 || code === "") return null;
  return String.fromCharCode(97 + Math.floor(index / 8)) + String((index % 8) + 1);
}

function moveCode(uci: string): string {
  const promotion = uci.charAt(4);
  return squareCode(uci.slice(0, 2)) + squareCode(uci.slice(2, 4)) + (promotion ? `*${promotion}` : "");
}

/** The moves of a tree as text, and where a node stands in it. */
export function encodeMoves(tree: Tree, current: number): { text: string; at: number } {
  let text = "";
  let count = 0;
  let at = 0;
  const write = (id: number) => {
    count += 1;
    if (id === current) at = count;
    text += moveCode(node(tree, id).uci);
  };
  const follow = (from: number) => {
    for (let parent = from; ; ) {
      const [first, ...others] = node(tree, parent).children;
      if (first === undefined) return;
      write(first);
      for (const other of others) {
        text += "(";
        write(other);
        follow(other);
        text += ")";
      }
      parent = first;
    }
  };
  follow(ROOT);
  return { text, at };
}

class MoveReader {
  private position = 0;
  constructor(private readonly text: string) {}

  /** Alternatives at one position, each with what follows; stops at what it cannot read. */
  line(): RawMove[] {
    const first = this.move();
    if (!first) return [];
    const alternatives = [first];
    while (this.text[this.position] === "(") {
      this.position += 1;
      alternatives.push(...this.line());
      if (this.text[this.position] !== ")") return alternatives;
      this.position += 1;
    }
    first.next = this.line();
    return alternatives;
  }

  private move(): RawMove | null {
    const from = squareFrom(this.text.charAt(this.position));
    const to = squareFrom(this.text.charAt(this.position + 1));
    if (!from || !to) return null;
    this.position += 2;
    let promotion = "";
    if (this.text[this.position] === "*") {
      promotion = this.text.charAt(this.position + 1);
      if (!/[qrbn]/.test(promotion)) return null;
      this.position += 2;
    }
    return { uci: from + to + promotion, next: [] };
  }
}

export function decodeMoves(text: string): RawMove[] {
  return new MoveReader(text).line();
}

/** The moves of a decoded link in the order of the link, each with its parent's number. */
export function listMoves(moves: readonly RawMove[], parent = 0, list: { uci: string; parent: number }[] = []) {
  const [first, ...others] = moves;
  if (!first) return list;
  list.push({ uci: first.uci, parent });
  const number = list.length;
  for (const other of others) listMoves([other], parent, list);
  return listMoves(first.next, number, list);
}

type Fields = Omit<Address, "moves" | "at" | "fen" | "chess960" | "white" | "black">;

export function formatAddress(fields: Fields, tree: Tree, current: number): string {
  const { text, at } = encodeMoves(tree, current);
  const query = new URLSearchParams();
  const put = (key: string, value: string, standard: string) => {
    if (value !== standard) query.set(key, value);
  };
  put("v", fields.view, DEFAULT_ADDRESS.view);
  put("f", startFen(tree).replaceAll(" ", "_"), START_FEN.replaceAll(" ", "_"));
  put("960", tree.chess960 ? "1" : "", "");
  put("g", text, "");
  put("at", String(at), "0");
  put("s", fields.side, "");
  put("m", fields.model, "");
  put("p", fields.plan, DEFAULT_ADDRESS.plan);
  put("a", fields.anchored ? "1" : "", "");
  put("l", fields.layout, DEFAULT_ADDRESS.layout);
  put("flip", fields.flipped ? "1" : "", "");
  put("heat", fields.heat ? "1" : "", "");
  put("w", fields.watch, "");
  put("white", tree.headers["White"] ?? "", "");
  put("black", tree.headers["Black"] ?? "", "");
  return query.toString().replaceAll("%2F", "/").replaceAll("%28", "(").replaceAll("%29", ")");
}

function oneOf<T extends string>(value: string | null, allowed: readonly T[], standard: T): T {
  return allowed.find((one) => one === value) ?? standard;
}

export function parseAddress(hash: string): Address {
  const query = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (key: string, limit = 200) => (query.get(key) ?? "").slice(0, limit);
  const at = Number(query.get("at") ?? 0);
  return {
    view: oneOf(query.get("v"), VIEWS, DEFAULT_ADDRESS.view),
    fen: text("f").replaceAll("_", " ") || START_FEN,
    chess960: query.get("960") === "1",
    moves: decodeMoves(query.get("g") ?? ""),
    at: Number.isSafeInteger(at) && at > 0 ? at : 0,
    model: text("m"),
    plan: oneOf(query.get("p"), ["deep", "paper", "puct"], DEFAULT_ADDRESS.plan),
    anchored: query.get("a") === "1",
    layout: oneOf(query.get("l"), ["umap", "axis"], DEFAULT_ADDRESS.layout),
    flipped: query.get("flip") === "1",
    heat: query.get("heat") === "1",
    watch: text("w"),
    side: oneOf(query.get("s"), ["", "w", "b"], ""),
    white: text("white"),
    black: text("black"),
  };
}
