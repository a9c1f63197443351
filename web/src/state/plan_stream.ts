// One plan of the server as it goes on: what a panel shows of it.
import { signal, type Signal } from "@preact/signals";
import { ApiError, isAbort, stream } from "../api/client";
import type { PlanDone, PlanInfo, PlanRequest, TreeEvent, TreeNode, TreeValue } from "../api/types";

/** The paper plan's tree so far. It grows in place; `version` tells that it has. */
export interface PlanTree {
  nodes: TreeNode[];
  values: Map<number, TreeValue>;
  truncated: boolean;
  version: number;
}

export interface PlanView {
  state: "idle" | "queued" | "running" | "done" | "failed";
  /** Place in the queue; 1 is next. */
  queue: number;
  /** Of the position that the plan is for. */
  fen: string;
  info: PlanInfo | null;
  tree: PlanTree | null;
  best: PlanDone["best"];
  problem: string;
}

export const IDLE: PlanView = { state: "idle", queue: 0, fen: "", info: null, tree: null, best: null, problem: "" };

export function planView(): Signal<PlanView> {
  return signal(IDLE);
}

export function addToTree(tree: PlanTree | null, event: TreeEvent): PlanTree {
  const grown = tree ?? { nodes: [], values: new Map<number, TreeValue>(), truncated: false, version: 0 };
  grown.nodes.push(...(event.nodes ?? []));
  for (const value of event.values ?? []) grown.values.set(value.id, value);
  return { ...grown, truncated: grown.truncated || event.truncated === true, version: grown.version + 1 };
}

/**
 * Follows a plan until it is done and gives what it found; null where it was given up. Lines of the
 * position before stay until the first ones of this plan are there, so that nothing jumps.
 */
export async function follow(request: PlanRequest, fen: string, shown: Signal<PlanView>, abort: AbortSignal): Promise<PlanDone | null> {
  const update = (change: Partial<PlanView>) => {
    if (!abort.aborted) shown.value = { ...shown.peek(), ...change };
  };
  update({ state: "queued", queue: 0, problem: "", best: null, tree: null });
  try {
    for await (const { name, data } of stream("plan", request, abort)) {
      if (name === "queued") update({ state: "queued", queue: (data as { position: number }).position });
      if (name === "started") update({ state: "running" });
      if (name === "info") update({ state: "running", fen, info: data as PlanInfo });
      if (name === "tree") update({ fen, tree: addToTree(shown.peek().tree, data as TreeEvent) });
      if (name === "done") {
        const done = data as PlanDone;
        update({ state: "done", fen, best: done.best, info: done.info ?? shown.peek().info });
        return done;
      }
    }
    return null;
  } catch (error) {
    if (isAbort(error) || abort.aborted) return null;
    const problem = error instanceof ApiError ? error.message : String(error);
    update({ state: "failed", problem });
    throw error;
  }
}
