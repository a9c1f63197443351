// Analysis of the position on the board, one plan or anchored and unanchored side by side.
import { computed, effect, signal } from "@preact/signals";
import { ApiError } from "../api/client";
import type { Limits, Line, PlanRequest } from "../api/types";
import { epoch, online, status } from "./connection";
import { at, fen, gameTo, outcome, situation, tree } from "./game";
import { tell } from "./notices";
import { follow, IDLE, planView } from "./plan_stream";
import { anchored, compare, lineCount, model, paperDepth, paperWidth, plan, view } from "./settings";
import { tabId } from "./tab";

export const analysing = signal(false);
export const first = planView();
export const second = planView();

/** Analysis stops by itself; a person who wants more asks again. */
const SECONDS = 60;
/** A hand that runs through the moves does not start a plan at each. */
const PAUSE_MS = 90;

export const modelId = computed(() => {
  const models = status.value?.models ?? [];
  return models.find((one) => one.id === model.value)?.id ?? models[0]?.id ?? "";
});

function requestFor(isAnchored: boolean, session: string): PlanRequest {
  const isPaper = plan.value === "paper";
  const limits: Limits = isPaper ? { depth: paperDepth.value } : { movetime: SECONDS * 1000 };
  return {
    ...gameTo(at.value),
    model: modelId.value,
    plan: plan.value,
    anchored: isAnchored,
    limits,
    session: `${tabId}-${session}`,
    ...(isPaper ? { width: paperWidth.value, tree: true } : { multipv: lineCount.value }),
  };
}

/** Best lines of the position on the board, for arrows and the bar; empty where there are none yet. */
export const bestLines = computed<Line[]>(() => {
  const shown = first.value;
  return analysing.value && shown.fen === fen.value ? (shown.info?.lines ?? []) : [];
});

export function watchAnalysis(): void {
  effect(() => {
    const runs = analysing.value && online.value === true && modelId.value !== "" && view.value !== "watch";
    const ended = outcome.value !== null || situation.value.moves.length === 0;
    void epoch.value;
    void tree.value;
    if (!runs || ended) {
      first.value = IDLE;
      second.value = IDLE;
      return undefined;
    }
    const abort = new AbortController();
    const start = (request: PlanRequest, shown: typeof first) =>
      follow(request, fen.peek(), shown, abort.signal).catch((error: unknown) => {
        if (error instanceof ApiError && !error.isOffline) tell(error.message, error.hint);
      });
    const requests = compare.value
      ? ([requestFor(false, "a"), requestFor(true, "b")] as const)
      : ([requestFor(anchored.value, "a"), null] as const);
    const timer = setTimeout(() => {
      void start(requests[0], first);
      if (requests[1]) void start(requests[1], second);
      else second.value = IDLE;
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });
}
