// A tree as PGN, with variations, comments and marks.
import { plyOf, START_FEN } from "../fen";
import { moveNumber, node, ROOT, startFen, type Node, type Tree } from "../tree";

const ROSTER = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

function tag(name: string, value: string): string {
  return `[${name} "${value.replace(/(["\\])/g, "\\$1")}"]`;
}

function tagsOf(tree: Tree): string[] {
  const headers = { ...tree.headers };
  const lines = ROSTER.map((name) => tag(name, headers[name] ?? (name === "Date" ? "????.??.??" : name === "Result" ? "*" : "?")));
  if (tree.chess960) headers["Variant"] = "Chess960";
  if (startFen(tree) !== START_FEN) {
    headers["SetUp"] = "1";
    headers["FEN"] = startFen(tree);
  }
  for (const [name, value] of Object.entries(headers)) {
    if (!ROSTER.includes(name)) lines.push(tag(name, value));
  }
  return lines;
}

function clockText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  return `[%clk ${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}]`;
}

function remarks(one: Node): string[] {
  const clock = one.clock !== undefined && !one.comment?.includes("[%clk") ? clockText(one.clock) : "";
  const text = [clock, one.comment ?? ""].filter(Boolean).join(" ").replace(/[{}]/g, "|");
  return [...(one.nags ?? []).map((nag) => `$${nag}`), ...(text ? [`{ ${text} }`] : [])];
}

/** Words from a node on: its first continuation, the other ones in brackets after their rival. */
function wordsFrom(tree: Tree, from: number, ply: number): string[] {
  const words: string[] = [];
  let at = from;
  let number = true;
  for (let now = ply; ; now++) {
    const [first, ...others] = node(tree, at).children;
    if (first === undefined) return words;
    const one = (id: number, withNumber: boolean) => {
      const child = node(tree, id);
      const remark = remarks(child);
      const prefix = withNumber || now % 2 === 0 ? [moveNumber(now)] : [];
      words.push(...prefix, child.san, ...remark);
      return remark.length > 0;
    };
    number = one(first, number);
    for (const other of others) {
      words.push("(");
      one(other, true);
      words.push(...wordsFrom(tree, other, now + 1), ")");
      number = true;
    }
    at = first;
  }
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = [];
  let line = "";
  for (const word of words.join(" ").replaceAll("( ", "(").replaceAll(" )", ")").split(" ")) {
    if (line && line.length + 1 + word.length > 79) {
      lines.push(line);
      line = "";
    }
    line += (line ? " " : "") + word;
  }
  return [...lines, line].filter(Boolean).join("\n");
}

export function toPgn(tree: Tree): string {
  const words = [
    ...remarks({ ...node(tree, ROOT) }),
    ...wordsFrom(tree, ROOT, plyOf(startFen(tree))),
    tree.headers["Result"] ?? "*",
  ];
  return `${tagsOf(tree).join("\n")}\n\n${wrapped(words)}\n`;
}
