// A PGN text with many games as a list: where each begins and ends, and its tags. The moves of the
// game that is opened are read by the server, so the list of a large file is there at once.
import type { Headers } from "../tree";

export interface ListedGame {
  readonly headers: Headers;
  readonly start: number;
  readonly end: number;
}

const TAG = /^\s*\[\s*([A-Za-z0-9_]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*$/;

interface Draft {
  headers: Record<string, string>;
  start: number;
  hasMoves: boolean;
}

/** Counts braces of comments, in which lines may look like tags. */
function commentDepth(line: string, inside: boolean): boolean {
  let open = inside;
  for (const letter of line) {
    if (open) {
      if (letter === "}") open = false;
    } else if (letter === "{") {
      open = true;
    } else if (letter === ";") {
      break;
    }
  }
  return open;
}

export function splitGames(text: string): ListedGame[] {
  const games: ListedGame[] = [];
  let draft: Draft | null = null;
  let inComment = false;
  const finish = (end: number) => {
    if (draft && (draft.hasMoves || Object.keys(draft.headers).length > 0)) {
      games.push({ headers: draft.headers, start: draft.start, end });
    }
  };
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const next = newline < 0 ? text.length : newline + 1;
    const line = text.slice(at, next);
    const tag = inComment ? null : TAG.exec(line);
    if (tag && (!draft || draft.hasMoves)) {
      finish(at);
      draft = { headers: {}, start: at, hasMoves: false };
    }
    if (tag && draft) {
      draft.headers[tag[1] ?? ""] = (tag[2] ?? "").replace(/\\(.)/g, "$1");
    } else if (line.trim() !== "" && !line.startsWith("%")) {
      draft ??= { headers: {}, start: at, hasMoves: false };
      draft.hasMoves = true;
      inComment = commentDepth(line, inComment);
    }
    at = next;
  }
  finish(text.length);
  return games;
}

/** "Carlsen - Caruana", or what there is of it. */
export function gameName(headers: Headers): string {
  const name = (key: string) => {
    const value = headers[key];
    return !value || value === "?" ? "?" : value;
  };
  const players = `${name("White")} – ${name("Black")}`;
  if (players !== "? – ?") return players;
  const event = headers["Event"];
  return event && event !== "?" ? event : "Game";
}

/** Event and year, for the second line of a list. */
export function gamePlace(headers: Headers): string {
  const parts = [headers["Event"], headers["Site"], headers["Date"]?.replace(/\.\?\?/g, "")];
  return parts.filter((part) => part && !part.startsWith("?")).join(", ");
}
