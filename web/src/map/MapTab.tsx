// Lists that belong to the map: positions that are alike, and what a lasso has caught.
import { effect, signal } from "@preact/signals";
import { isAbort, post } from "../api/client";
import type { MapPoint } from "../api/types";
import { MiniBoard } from "../board/MiniBoard";
import { modelId } from "../state/analysis";
import { epoch, online } from "../state/connection";
import { at, fen, gameTo } from "../state/game";
import { detailsOf, mapData, mapId } from "../state/map";
import { view } from "../state/settings";
import { percent } from "../ui/format";
import { caught } from "./MapPanel";
import { jumpToPoint } from "./jump";

const similar = signal<{ fen: string; points: MapPoint[] } | null>(null);
const caughtPoints = signal<MapPoint[]>([]);
const MOST_SHOWN = 60;
const PAUSE_MS = 150;

export function watchLists(): void {
  effect(() => {
    const position = fen.value;
    const model = modelId.value;
    void epoch.value;
    if (view.value !== "map" || !online.value || model === "" || mapId.value === "") return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      post<{ points: MapPoint[] }>("similar", { ...gameTo(at.peek()), model, count: 12 }, abort.signal)
        .then(({ points }) => (similar.value = { fen: position, points }))
        .catch((error: unknown) => {
          if (!isAbort(error)) console.info("similar:", error);
        });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });
  // Another map has other points under the same numbers.
  mapId.subscribe(() => (caught.value = []));
  effect(() => {
    const ids = caught.value.slice(0, MOST_SHOWN);
    if (ids.length === 0) {
      caughtPoints.value = [];
      return undefined;
    }
    const abort = new AbortController();
    detailsOf(ids, abort.signal).then((points) => (caughtPoints.value = points)).catch(() => undefined);
    return () => abort.abort();
  });
}

function PointCard({ point }: { point: MapPoint }) {
  const name = point.game ?? point.source;
  return (
    <li>
      <button type="button" class="point-card" title="Open the game here" onClick={() => void jumpToPoint(point.id)}>
        {point.fen && <MiniBoard fen={point.fen} />}
        <span class="name">{name}</span>
        <span class="faint">
          ply {point.ply}{point.result ? ` · ${point.result}` : ""}
        </span>
        <span>
          White {percent(point.p)}{point.similarity === undefined ? "" : ` · alike ${point.similarity.toFixed(2)}`}
        </span>
      </button>
    </li>
  );
}

function Caught() {
  const ids = caught.value;
  const values = mapData.value?.values;
  const mean = values && ids.length > 0 ? ids.reduce((sum, id) => sum + (values[id] ?? 0.5), 0) / ids.length : 0.5;
  return (
    <section aria-label="Selected points">
      <div class="panel-head">
        <h3>{ids.length.toLocaleString("en")} positions selected</h3>
        <button type="button" onClick={() => (caught.value = [])}>Clear</button>
      </div>
      <p class="faint">
        White wins {percent(mean)} on average.{ids.length > MOST_SHOWN ? ` The first ${MOST_SHOWN} are listed.` : ""}
      </p>
      <ul class="point-list">{caughtPoints.value.map((point) => <PointCard key={point.id} point={point} />)}</ul>
    </section>
  );
}

export function MapTab() {
  const known = similar.value;
  return (
    <div class="stack">
      {caught.value.length > 0 && <Caught />}
      <section aria-label="Alike positions">
        <h2>Games that felt like this one</h2>
        <p class="faint">The positions of the sample whose embeddings are nearest to the board's. A click opens the game there.</p>
        {known && known.points.length > 0 ? (
          <ul class="point-list">{known.points.map((point) => <PointCard key={point.id} point={point} />)}</ul>
        ) : (
          <p class="faint">{mapData.value ? "Looking…" : "They come with the map."}</p>
        )}
      </section>
    </div>
  );
}
