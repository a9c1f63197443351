// A running match or training run, followed as its file grows.
import { effect, signal } from "@preact/signals";
import { ApiError, isAbort, stream } from "../api/client";
import type { MatchEvent, MatchGame, MetricsRow } from "../api/types";
import { epoch, online, status } from "./connection";
import { view, watchId } from "./settings";

export interface Watched {
  id: string;
  match: MatchEvent | null;
  /** Newest first. */
  games: MatchGame[];
  rows: MetricsRow[];
  problem: string;
}

const MOST_GAMES = 12;

export const watched = signal<Watched | null>(null);

function added(now: Watched, name: string, data: unknown): Watched {
  switch (name) {
    case "match":
      return { ...now, match: data as MatchEvent, problem: "" };
    case "game":
      return { ...now, games: [data as MatchGame, ...now.games].slice(0, MOST_GAMES) };
    case "metrics":
      return { ...now, rows: [...now.rows, ...(data as { rows: MetricsRow[] }).rows], problem: "" };
    case "problem":
      return { ...now, problem: (data as { message: string }).message };
    default:
      return now;
  }
}

async function follow(id: string, abort: AbortSignal): Promise<void> {
  watched.value = { id, match: null, games: [], rows: [], problem: "" };
  for await (const { name, data } of stream(`watch/${encodeURIComponent(id)}`, undefined, abort)) {
    const now = watched.peek();
    if (now?.id === id) watched.value = added(now, name, data);
  }
}

export function watchWatched(): void {
  effect(() => {
    const items = status.value?.watch ?? [];
    const id = items.find((item) => item.id === watchId.value)?.id ?? items[0]?.id;
    void epoch.value;
    if (view.value !== "watch" || !online.value || id === undefined) return undefined;
    const abort = new AbortController();
    follow(id, abort.signal).catch((error: unknown) => {
      if (isAbort(error) || (error instanceof ApiError && error.isOffline)) return;
      const now = watched.peek();
      if (now) watched.value = { ...now, problem: error instanceof Error ? error.message : String(error) };
    });
    return () => abort.abort();
  });
}
