// Review of a game by the server: every move judged, accuracy, key moments in words.
import { computed, effect, signal } from "@preact/signals";
import { ApiError, isAbort, stream } from "../api/client";
import type { ReviewDone, ReviewPly } from "../api/types";
import { movesTo, startFen } from "../chess/tree";
import { anchored, plan } from "./settings";
import { modelId } from "./analysis";
import { line, tree } from "./game";
import { say, tell } from "./notices";
import { tabId } from "./tab";

export interface Review {
  /** The moves that were reviewed; another line of the game has no review. */
  key: string;
  state: "running" | "done";
  plies: ReviewPly[];
  total: number;
  done: ReviewDone | null;
}

export const review = signal<Review | null>(null);

function keyOf(): string {
  const moves = movesTo(tree.value, line.value.at(-1) ?? 0);
  return `${startFen(tree.value)} ${moves.join(" ")}`;
}

/** The review of the line on the board, if it has one. */
export const current = computed(() => (review.value?.key === keyOf() ? review.value : null));

let abort: AbortController | null = null;

export function stopReview(): void {
  abort?.abort();
  abort = null;
  if (review.peek()?.state === "running") review.value = null;
}

/** Nodes for each position: enough to see tactics, quick enough to wait for. */
export const NODES = { quick: 4000, thorough: 40000 } as const;

export async function startReview(nodes: number): Promise<void> {
  stopReview();
  const stop = new AbortController();
  abort = stop;
  const moves = movesTo(tree.peek(), line.peek().at(-1) ?? 0);
  review.value = { key: keyOf(), state: "running", plies: [], total: moves.length, done: null };
  const body = {
    fen: startFen(tree.peek()),
    moves,
    chess960: tree.peek().chess960,
    model: modelId.peek(),
    plan: plan.peek() === "paper" ? "deep" : plan.peek(),
    anchored: anchored.peek(),
    limits: { nodes },
    session: `${tabId}-r`,
    tags: tree.peek().headers,
  };
  try {
    for await (const { name, data } of stream("review", body, stop.signal)) {
      const now = review.peek();
      if (!now) return;
      if (name === "ply") review.value = { ...now, plies: [...now.plies, data as ReviewPly] };
      if (name === "done") {
        review.value = { ...now, state: "done", done: data as ReviewDone };
        say("The review is finished");
      }
    }
  } catch (error) {
    if (isAbort(error)) return;
    review.value = null;
    const known = error instanceof ApiError;
    tell(`the review broke off: ${known ? error.message : String(error)}`, known ? error.hint : "");
  }
}

/** A review is of one line; where the game goes on differently it is not shown but kept. */
export function watchReview(): void {
  effect(() => {
    if (review.value?.state === "running" && current.value === null) stopReview();
  });
}
