// The map on its two canvases. Draws when something has changed and not otherwise.
import type { LayoutName, Placed, RankedMove, TracePly } from "../api/types";
import type { MapData } from "../state/map";
import { toMap, toScreen, unit, WHOLE, zoomAt, panned, type Camera, type Size, type Spot } from "./camera";
import { Grid } from "./grid";
import { between, ease, frameOf, normal, normalAll, type Frame } from "./normal";
import { drawOverlay, type FanDot, type OverlayColors, type PathDot, type Scene as Overlay } from "./overlay";
import { PointsGl } from "./points_gl";

const ANIMATION_MS = 900;
const REACH = 9;

export interface Shown {
  trace: readonly TracePly[];
  here: number;
  fan: readonly RankedMove[];
  selected: readonly number[];
}

export type Hit =
  | { kind: "move"; move: RankedMove }
  | { kind: "ply"; ply: number }
  | { kind: "point"; id: number };

const NOTHING: Shown = { trace: [], here: 0, fan: [], selected: [] };

export class MapScene {
  camera: Camera = WHOLE;
  hovered: number | null = null;
  lasso: Spot[] = [];
  private size: Size = { width: 1, height: 1 };
  private pixels = 1;
  private data: MapData | null = null;
  private frames: Partial<Record<LayoutName, Frame>> = {};
  private places: Record<LayoutName, Float32Array> = { axis: new Float32Array(), umap: new Float32Array() };
  private grids: Partial<Record<LayoutName, Grid>> = {};
  private layout: LayoutName = "umap";
  private animation: { from: number; to: number; start: number } | null = null;
  /** 0 is the axis layout, 1 UMAP. */
  private share = 1;
  private shown: Shown = NOTHING;
  private colors: OverlayColors | null = null;
  private frame = 0;
  private readonly points: PointsGl | null;
  private readonly pen: CanvasRenderingContext2D;

  constructor(
    private readonly glCanvas: HTMLCanvasElement,
    private readonly overlayCanvas: HTMLCanvasElement,
  ) {
    this.points = PointsGl.on(glCanvas);
    this.pen = overlayCanvas.getContext("2d") as CanvasRenderingContext2D;
  }

  get hasWebGl(): boolean {
    return this.points !== null;
  }

  resize(width: number, height: number): void {
    this.size = { width: Math.max(1, width), height: Math.max(1, height) };
    this.pixels = Math.min(2, devicePixelRatio || 1);
    for (const canvas of [this.glCanvas, this.overlayCanvas]) {
      canvas.width = Math.round(this.size.width * this.pixels);
      canvas.height = Math.round(this.size.height * this.pixels);
    }
    this.drawNow();
  }

  setData(data: MapData | null): void {
    this.data = data;
    this.grids = {};
    this.frames = {};
    this.hovered = null;
    for (const layout of data?.layouts ?? []) {
      const frame = frameOf(layout);
      this.frames[layout.id] = frame;
      this.places[layout.id] = normalAll(frame, data?.places[layout.id] ?? new Float32Array());
    }
    if (data) this.points?.upload(this.layoutPlaces("axis"), this.layoutPlaces("umap"), data.values);
    this.redraw();
  }

  /** A layout that is not there yet lies where the other one does. */
  private layoutPlaces(name: LayoutName): Float32Array {
    const other: LayoutName = name === "axis" ? "umap" : "axis";
    return this.places[name].length > 0 ? this.places[name] : this.places[other];
  }

  setLayout(layout: LayoutName, animated: boolean): void {
    if (layout === this.layout && this.animation === null) return;
    this.layout = layout;
    const to = layout === "umap" ? 1 : 0;
    if (animated) this.animation = { from: this.share, to, start: performance.now() };
    else this.share = to;
    this.redraw();
  }

  setShown(shown: Shown): void {
    this.shown = shown;
    this.redraw();
  }

  setColors(colors: OverlayColors): void {
    this.colors = colors;
    this.redraw();
  }

  zoom(spot: Spot, factor: number): void {
    this.camera = zoomAt(this.camera, this.size, spot, factor);
    this.redraw();
  }

  zoomCentre(factor: number): void {
    this.zoom({ x: this.size.width / 2, y: this.size.height / 2 }, factor);
  }

  pan(dx: number, dy: number): void {
    this.camera = panned(this.camera, this.size, dx, dy);
    this.redraw();
  }

  reset(): void {
    this.camera = WHOLE;
    this.redraw();
  }

  /** What is under a place of the screen: moves first, then the game's positions, then the sample. */
  hit(spot: Spot): Hit | null {
    const near = (dots: readonly Spot[], reach: number) => {
      let best = -1;
      let least = reach;
      dots.forEach((dot, i) => {
        const distance = Math.hypot(dot.x - spot.x, dot.y - spot.y);
        if (distance < least) [best, least] = [i, distance];
      });
      return best;
    };
    const fan = this.fanDots();
    const move = this.shown.fan.find((one) => one.uci === fan[near(fan, REACH)]?.uci);
    if (move) return { kind: "move", move };
    const ply = near(this.pathDots(), 6);
    if (ply >= 0) return { kind: "ply", ply };
    const id = this.grid()?.nearest(toMap(this.camera, this.size, spot), REACH / unit(this.camera, this.size)) ?? null;
    return id === null ? null : { kind: "point", id };
  }

  /** The points inside the lasso. */
  takeLasso(): number[] {
    const polygon = this.lasso.map((spot) => toMap(this.camera, this.size, spot));
    this.lasso = [];
    this.redraw();
    return polygon.length < 3 ? [] : (this.grid()?.inside(polygon) ?? []);
  }

  screenOf(id: number): Spot | null {
    const [a, b] = [this.layoutPlaces("axis"), this.layoutPlaces("umap")];
    if (2 * id + 1 >= a.length) return null;
    const spot = between({ x: a[2 * id]!, y: a[2 * id + 1]! }, { x: b[2 * id]!, y: b[2 * id + 1]! }, this.share);
    return toScreen(this.camera, this.size, spot);
  }

  redraw(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame((now) => this.draw(now));
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
  }

  private grid(): Grid | null {
    if (!this.data) return null;
    return (this.grids[this.layout] ??= new Grid(this.layoutPlaces(this.layout)));
  }

  private place(point: Placed): Spot | null {
    const spot = (name: LayoutName) => {
      const place = point[name];
      const frame = this.frames[name];
      return place && frame ? normal(frame, place) : null;
    };
    const [axis, umap] = [spot("axis") ?? spot("umap"), spot("umap") ?? spot("axis")];
    return axis && umap ? toScreen(this.camera, this.size, between(axis, umap, this.share)) : null;
  }

  private pathDots(): PathDot[] {
    return this.shown.trace.flatMap((ply) => {
      const spot = this.place(ply);
      return spot ? [{ ...spot, p: ply.p }] : [];
    });
  }

  private fanDots(): (FanDot & { uci: string })[] {
    return this.shown.fan.flatMap((move) => {
      const spot = this.place(move);
      return spot ? [{ ...spot, p: move.p, rank: move.rank, san: move.san, uci: move.uci }] : [];
    });
  }

  private sampleDot(id: number): PathDot[] {
    const spot = this.screenOf(id);
    return spot ? [{ ...spot, p: this.data?.values[id] ?? 0.5 }] : [];
  }

  private ends(): Overlay["ends"] {
    const layout = this.data?.layouts.find((one) => one.id === this.layout);
    const frame = this.frames[this.layout];
    if (!layout || !frame || this.animation) return null;
    const at = (point: typeof layout.white) => toScreen(this.camera, this.size, normal(frame, point));
    return { white: at(layout.white), black: at(layout.black) };
  }

  private animate(now: number): void {
    if (!this.animation) return;
    const done = Math.min(1, (now - this.animation.start) / ANIMATION_MS);
    this.share = this.animation.from + (this.animation.to - this.animation.from) * ease(Math.max(0, done));
    if (done >= 1) this.animation = null;
    else this.redraw();
  }

  private drawNow(): void {
    cancelAnimationFrame(this.frame);
    this.draw(performance.now());
  }

  private draw(now: number): void {
    this.frame = 0;
    this.animate(now);
    if (!this.colors) return;
    this.points?.draw(this.camera, this.size, this.pixels, this.share, this.colors.stops);
    this.pen.setTransform(this.pixels, 0, 0, this.pixels, 0, 0);
    this.pen.clearRect(0, 0, this.size.width, this.size.height);
    const path = this.pathDots();
    const overlay: Overlay = {
      path,
      here: this.shown.here,
      current: path[this.shown.here] ?? null,
      fan: this.fanDots(),
      hovered: this.hovered === null ? null : (this.sampleDot(this.hovered)[0] ?? null),
      selected: this.shown.selected.flatMap((id) => this.sampleDot(id)),
      lasso: this.lasso,
      ends: this.ends(),
    };
    drawOverlay(this.pen, overlay, this.colors);
  }
}
