// The line on the board as the model sees it at once: a win probability and a place for every position,
// and the moves that could be played as a fan.
import { computed, effect, signal } from "@preact/signals";
import { isAbort, post } from "../api/client";
import type { RankAnswer, TraceAnswer, TracePly } from "../api/types";
import { modelId } from "./analysis";
import { epoch, online } from "./connection";
import { at, current, depth, fen, gameTo, line, tree } from "./game";
import { mapId } from "./map";
import { movesTo, startFen } from "../chess/tree";

export const trace = signal<TracePly[]>([]);
export const fan = signal<RankAnswer | null>(null);

const PAUSE_MS = 60;

/** White's win probability at the current position by its embedding. */
export const latent = computed(() => {
  const here = trace.value[depth.value];
  return here && (here.uci ?? "") === current.value.uci ? here.p : null;
});

function asking(ask: (abort: AbortSignal) => Promise<void>): () => void {
  const abort = new AbortController();
  const timer = setTimeout(() => {
    // A question that fails is asked again with the next move or the next server.
    ask(abort.signal).catch((error: unknown) => {
      if (!isAbort(error)) console.info("trace:", error);
    });
  }, PAUSE_MS);
  return () => {
    clearTimeout(timer);
    abort.abort();
  };
}

const lineKey = computed(() => {
  const end = line.value.at(-1) ?? 0;
  return JSON.stringify([startFen(tree.value), tree.value.chess960, movesTo(tree.value, end)]);
});

export function watchTrace(): void {
  effect(() => {
    const [start, chess960, moves] = JSON.parse(lineKey.value) as [string, boolean, string[]];
    const using = modelId.value;
    void epoch.value;
    void mapId.value;
    if (!online.value || using === "") return undefined;
    return asking(async (abort) => {
      const answer = await post<TraceAnswer>("trace", { fen: start, moves, chess960, model: using }, abort);
      trace.value = answer.plies;
    });
  });
  effect(() => {
    const using = modelId.value;
    const position = fen.value;
    void epoch.value;
    void mapId.value;
    if (!online.value || using === "") return undefined;
    return asking(async (abort) => {
      const answer = await post<RankAnswer>("rank", { ...gameTo(at.peek()), model: using }, abort);
      if (fen.peek() === position) fan.value = { ...answer, fen: position };
    });
  });
}
