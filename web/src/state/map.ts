// The sample that the map shows: its points, where they lie in both layouts, and what is known of them.
import { effect, signal } from "@preact/signals";
import { ApiError, get, getFloats, isAbort, post } from "../api/client";
import type { LayoutName, MapAnswer, MapLayout, MapPoint } from "../api/types";
import { modelId } from "./analysis";
import { epoch, online } from "./connection";

export interface MapData {
  id: string;
  model: string;
  count: number;
  source: string;
  preview: boolean;
  layouts: MapLayout[];
  places: Record<LayoutName, Float32Array>;
  values: Float32Array;
}

export const mapData = signal<MapData | null>(null);
/** Of the map that is shown; another one places positions elsewhere. */
export const mapId = signal("");
export const mapProgress = signal<{ stage: string; share: number } | null>(null);
export const mapProblem = signal("");

const POLL_MS = 1500;
const EMPTY = new Float32Array();

async function load(model: string, answer: MapAnswer, abort: AbortSignal): Promise<void> {
  const query = `model=${encodeURIComponent(model)}&id=${answer.id ?? ""}`;
  const places: Record<LayoutName, Float32Array> = { axis: EMPTY, umap: EMPTY };
  const values = await getFloats(`map/values?${query}`, abort);
  for (const { id } of answer.layouts) places[id] = await getFloats(`map/points?${query}&layout=${id}`, abort);
  details.clear();
  mapData.value = {
    id: answer.id ?? "",
    model,
    count: answer.count,
    source: answer.source,
    preview: answer.preview,
    layouts: answer.layouts,
    places,
    values,
  };
  mapId.value = answer.id ?? "";
}

async function follow(model: string, abort: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await get<MapAnswer>(`map?model=${encodeURIComponent(model)}`, abort);
    const shown = mapData.peek();
    if (answer.id && (shown?.id !== answer.id || shown.model !== model)) {
      // A map that was replaced between two questions is asked for again.
      await load(model, answer, abort).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
      });
    }
    mapProgress.value = answer.state === "computing" ? { stage: answer.stage, share: answer.share } : null;
    mapProblem.value = answer.state === "failed" ? (typeof answer.error === "string" ? answer.error : (answer.error?.message ?? "the map failed")) : "";
    if (answer.state !== "computing") return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    abort.throwIfAborted();
  }
}

export function watchMap(): void {
  effect(() => {
    const model = modelId.value;
    void epoch.value;
    if (!online.value || model === "") return undefined;
    const abort = new AbortController();
    follow(model, abort.signal).catch((error: unknown) => {
      if (isAbort(error) || (error instanceof ApiError && error.isOffline)) return;
      mapProblem.value = error instanceof Error ? error.message : String(error);
    });
    return () => abort.abort();
  });
}

const details = new Map<number, MapPoint>();

/** What the server knows of points; remembered, as a pointer comes back to them. */
export async function detailsOf(ids: readonly number[], abort?: AbortSignal): Promise<MapPoint[]> {
  const model = mapData.peek()?.model;
  const missing = ids.filter((id) => !details.has(id));
  if (missing.length > 0 && model !== undefined) {
    const answer = await post<{ points: MapPoint[] }>("map/detail", { model, ids: missing }, abort);
    for (const point of answer.points) details.set(point.id, point);
  }
  return ids.flatMap((id) => details.get(id) ?? []);
}

export function knownDetail(id: number): MapPoint | undefined {
  return details.get(id);
}

/** A point with the game it comes from. */
export async function gameOfPoint(id: number): Promise<MapPoint | undefined> {
  const model = mapData.peek()?.model;
  const answer = await post<{ points: MapPoint[] }>("map/detail", { model, ids: [id], moves: true });
  return answer.points[0];
}
