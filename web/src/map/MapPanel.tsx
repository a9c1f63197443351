// The map beside the board.
import { effect, signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { LayoutName, MapPoint } from "../api/types";
import { MiniBoard } from "../board/MiniBoard";
import { depth, goTo, line } from "../state/game";
import { detailsOf, knownDetail, mapData, mapProblem, mapProgress } from "../state/map";
import { moveByHand } from "../state/opponent";
import { layout, view } from "../state/settings";
import { fan, trace } from "../state/trace";
import { fen } from "../state/game";
import { isDark, scale } from "../ui/colors";
import { percent } from "../ui/format";
import { ROOT } from "../chess/tree";
import { listen } from "./gestures";
import { jumpToPoint } from "./jump";
import { MapScene, type Hit } from "./scene";
import type { Spot } from "./camera";
import { Icon } from "../ui/Icon";

/** Points that a lasso has caught, in no order. */
export const caught = signal<number[]>([]);

const FAN_SIZE = 12;
const LAYOUTS: { id: LayoutName; name: string; tip: string }[] = [
  { id: "umap", name: "UMAP", tip: "Alike positions lie together" },
  { id: "axis", name: "Axis", tip: "From left to right: the advantage axis" },
];

interface Hovered {
  hit: Hit;
  spot: Spot;
  point: MapPoint | null;
}

function follow(hit: Hit): void {
  if (hit.kind === "move") moveByHand(hit.move.uci);
  else if (hit.kind === "ply") goTo(hit.ply === 0 ? ROOT : (line.peek()[hit.ply - 1] ?? ROOT));
  else void jumpToPoint(hit.id);
}

function cssColors() {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  return { ink: value("--ink"), paper: value("--map-paper"), path: value("--path"), accent: value("--accent"), stops: scale.value };
}

function useScene(hovered: { value: Hovered | null }, lassoing: { value: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const sceneRef = useRef<MapScene | null>(null);
  useEffect(() => {
    const element = box.current;
    const [glCanvas, overlay] = element?.querySelectorAll("canvas") ?? [];
    if (!element || !glCanvas || !overlay) return undefined;
    const scene = new MapScene(glCanvas, overlay);
    sceneRef.current = scene;
    let animated = false;
    const stops = [
      effect(() => scene.setData(mapData.value)),
      effect(() => {
        void isDark.value;
        scene.setColors(cssColors());
      }),
      effect(() => {
        scene.setLayout(layout.value, animated && !matchMedia("(prefers-reduced-motion: reduce)").matches);
        animated = true;
      }),
      effect(() =>
        scene.setShown({
          trace: trace.value,
          here: Math.min(depth.value, Math.max(0, trace.value.length - 1)),
          fan: fan.value?.fen === fen.value ? fan.value.moves.slice(0, FAN_SIZE) : [],
          selected: caught.value,
        }),
      ),
      listen(element, mapActions(scene, hovered, lassoing)),
    ];
    const observer = new ResizeObserver(([entry]) => {
      if (entry) scene.resize(entry.contentRect.width, entry.contentRect.height);
    });
    observer.observe(element);
    return () => {
      stops.forEach((stop) => stop());
      observer.disconnect();
      scene.destroy();
    };
  }, []);
  return { box, scene: sceneRef };
}

function mapActions(scene: MapScene, hovered: { value: Hovered | null }, lassoing: { value: boolean }) {
  let asked: AbortController | null = null;
  const showPoint = (hit: Hit & { kind: "point" }, spot: Spot) => {
    asked?.abort();
    asked = new AbortController();
    hovered.value = { hit, spot, point: knownDetail(hit.id) ?? null };
    void detailsOf([hit.id], asked.signal)
      .then(([point]) => {
        const now = hovered.value?.hit;
        if (point && now?.kind === "point" && now.id === hit.id) hovered.value = { hit, spot, point };
      })
      .catch(() => undefined);
  };
  return {
    pan: (dx: number, dy: number) => scene.pan(dx, dy),
    zoom: (spot: Spot, factor: number) => scene.zoom(spot, factor),
    zoomCentre: (factor: number) => scene.zoomCentre(factor),
    reset: () => scene.reset(),
    lassoing: () => lassoing.value,
    hover: (spot: Spot | null) => {
      const hit = spot ? scene.hit(spot) : null;
      const id = hit?.kind === "point" ? hit.id : null;
      if (id !== scene.hovered) {
        scene.hovered = id;
        scene.redraw();
      }
      if (!spot || !hit) hovered.value = null;
      else if (hit.kind === "point") showPoint(hit, spot);
      else hovered.value = { hit, spot, point: null };
    },
    tap: (spot: Spot) => {
      const hit = scene.hit(spot);
      hovered.value = null;
      if (hit) follow(hit);
    },
    lassoStart: (spot: Spot) => (scene.lasso = [spot]),
    lassoMove: (spot: Spot) => {
      scene.lasso.push(spot);
      scene.redraw();
    },
    lassoEnd: () => {
      lassoing.value = false;
      caught.value = scene.takeLasso();
      if (caught.value.length > 0) view.value = "map";
    },
  };
}

function HoverCard({ hovered }: { hovered: Hovered }) {
  const { hit, spot, point } = hovered;
  const position = hit.kind === "move" ? hit.move.fen : hit.kind === "ply" ? trace.value[hit.ply]?.fen : point?.fen;
  const p = hit.kind === "move" ? hit.move.p : hit.kind === "ply" ? trace.value[hit.ply]?.p : (point?.p ?? mapData.value?.values[hit.id]);
  const title =
    hit.kind === "move"
      ? `${hit.move.san} · candidate ${hit.move.rank}`
      : hit.kind === "ply"
        ? `This game, ${hit.ply === 0 ? "start" : `after ${trace.value[hit.ply]?.san ?? ""}`}`
        : (point?.game ?? point?.source ?? "…");
  const place = hit.kind === "point" && point ? `${point.game ? `${point.source}, ` : ""}ply ${point.ply}` : "";
  const left = spot.x > 200;
  const top = spot.y > 220;
  return (
    <div
      class="hover-card"
      style={{
        transform: `translate(${spot.x + (left ? -14 : 14)}px, ${spot.y + (top ? -14 : 14)}px) translate(${left ? "-100%" : "0"}, ${top ? "-100%" : "0"})`,
      }}
    >
      {position ? <MiniBoard fen={position} /> : <div class="mini-board empty" />}
      <strong>{title}</strong>
      <span>{p === undefined ? "" : `White wins ${percent(p)}`}</span>
      <span class="faint">{place}</span>
    </div>
  );
}

function MapState() {
  const progress = mapProgress.value;
  const data = mapData.value;
  if (mapProblem.value) return <p class="map-state problem">{mapProblem.value}</p>;
  if (progress) {
    return (
      <p class="map-state">
        {progress.stage || "Drawing the map"} {progress.share > 0 ? percent(progress.share) : "…"}
      </p>
    );
  }
  return data ? <p class="map-state">{data.count.toLocaleString("en")} positions, {data.source}</p> : <p class="map-state">The map is on its way…</p>;
}

export function MapPanel() {
  const hovered = useSignal<Hovered | null>(null);
  const lassoing = useSignal(false);
  const { box, scene } = useScene(hovered, lassoing);
  return (
    <section class="map-panel" aria-label="Map of the latent space">
      <div class="map-tools">
        <div class="segmented" role="group" aria-label="Layout of the map">
          {LAYOUTS.map(({ id, name, tip }) => (
            <button key={id} type="button" title={tip} aria-pressed={layout.value === id} onClick={() => (layout.value = id)}>
              {name}
            </button>
          ))}
        </div>
        <span class="space" />
        <button type="button" class="icon" aria-label="Select points with a lasso" title="Lasso (or Shift and drag)" aria-pressed={lassoing.value} onClick={() => (lassoing.value = !lassoing.value)}>
          <Icon name="lasso" />
        </button>
        <button type="button" class="icon" aria-label="Zoom in" onClick={() => scene.current?.zoomCentre(1.5)}><Icon name="plus" /></button>
        <button type="button" class="icon" aria-label="Zoom out" onClick={() => scene.current?.zoomCentre(1 / 1.5)}><Icon name="minus" /></button>
        <button type="button" class="icon" aria-label="Show the whole map" onClick={() => scene.current?.reset()}><Icon name="whole" /></button>
      </div>
      <div
        ref={box}
        class={lassoing.value ? "map-canvas lassoing" : "map-canvas"}
        data-points={mapData.value?.count ?? 0}
        tabIndex={0}
        role="application"
        aria-roledescription="map"
        aria-label="Positions as points, the game as a path. Arrow keys move, plus and minus zoom, 0 shows everything. The list of alike positions is in the Map tab."
      >
        <canvas aria-hidden="true" />
        <canvas aria-hidden="true" />
        {scene.current && !scene.current.hasWebGl && <p class="no-webgl">This browser shows no WebGL 2: only the game is drawn.</p>}
        {hovered.value && <HoverCard hovered={hovered.value} />}
      </div>
      <div class="legend">
        <MapState />
        <span aria-hidden="true">Black wins</span>
        <span class="gradient" aria-hidden="true" />
        <span aria-hidden="true">White wins</span>
      </div>
    </section>
  );
}
