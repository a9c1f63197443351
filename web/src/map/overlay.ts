// What lies over the points: the game as a path, the candidates as a fan, the pointer's point, a lasso.
import { css, scaleColor, type Rgb } from "../ui/colors";
import type { Spot } from "./camera";

export interface OverlayColors {
  ink: string;
  paper: string;
  path: string;
  accent: string;
  stops: readonly Rgb[];
}

export interface PathDot extends Spot {
  p: number;
}

export interface FanDot extends PathDot {
  rank: number;
  san: string;
}

export interface Scene {
  /** The line on the board, from its start; screen places. */
  path: readonly PathDot[];
  /** Number of the current position within `path`. */
  here: number;
  current: PathDot | null;
  fan: readonly FanDot[];
  hovered: PathDot | null;
  selected: readonly PathDot[];
  lasso: readonly Spot[];
  ends: { white: Spot; black: Spot } | null;
}

type Pen = CanvasRenderingContext2D;

function dot(pen: Pen, spot: Spot, radius: number, fill: string, edge: string, width: number): void {
  pen.beginPath();
  pen.arc(spot.x, spot.y, radius, 0, 2 * Math.PI);
  pen.fillStyle = fill;
  pen.fill();
  if (width > 0) {
    pen.lineWidth = width;
    pen.strokeStyle = edge;
    pen.stroke();
  }
}

function polyline(pen: Pen, spots: readonly Spot[]): void {
  pen.beginPath();
  spots.forEach((spot, i) => (i === 0 ? pen.moveTo(spot.x, spot.y) : pen.lineTo(spot.x, spot.y)));
}

function label(pen: Pen, text: string, spot: Spot, colors: OverlayColors, bold = false): void {
  pen.font = `${bold ? "600 " : ""}12px system-ui, sans-serif`;
  pen.lineWidth = 3.5;
  pen.lineJoin = "round";
  pen.strokeStyle = colors.paper;
  pen.strokeText(text, spot.x, spot.y);
  pen.fillStyle = colors.ink;
  pen.fillText(text, spot.x, spot.y);
}

/** 5 for the best candidate, less for those behind it. */
export function fanRadius(rank: number): number {
  return Math.max(2.2, 8 - 1.1 * (rank - 1));
}

function drawEnds(pen: Pen, scene: Scene, colors: OverlayColors): void {
  if (!scene.ends) return;
  pen.globalAlpha = 0.75;
  pen.textAlign = "center";
  label(pen, "White wins", { x: scene.ends.white.x, y: scene.ends.white.y - 10 }, colors);
  label(pen, "Black wins", { x: scene.ends.black.x, y: scene.ends.black.y - 10 }, colors);
  pen.textAlign = "start";
  pen.globalAlpha = 1;
}

function drawPath(pen: Pen, scene: Scene, colors: OverlayColors): void {
  const fill = (p: number) => css(scaleColor(colors.stops, p));
  const past = scene.path.slice(0, scene.here + 1);
  pen.lineJoin = "round";
  pen.strokeStyle = colors.path;
  // What comes after the current move is there, but faint.
  pen.globalAlpha = 0.28;
  pen.lineWidth = 1.5;
  polyline(pen, scene.path.slice(scene.here));
  pen.stroke();
  scene.path.slice(scene.here + 1).forEach((spot) => dot(pen, spot, 2.2, fill(spot.p), colors.path, 1));
  pen.globalAlpha = 0.85;
  pen.lineWidth = 2;
  polyline(pen, past);
  pen.stroke();
  pen.globalAlpha = 1;
  past.forEach((spot) => dot(pen, spot, 3.2, fill(spot.p), colors.path, 1.3));
  const start = past[0];
  if (start && past.length > 3) label(pen, "start", { x: start.x + 7, y: start.y - 7 }, colors);
}

function drawFan(pen: Pen, scene: Scene, colors: OverlayColors): void {
  const from = scene.current;
  if (!from) return;
  for (const move of [...scene.fan].reverse()) {
    const color = css(scaleColor(colors.stops, move.p));
    pen.strokeStyle = color;
    pen.globalAlpha = move.rank <= 3 ? 0.9 : 0.45;
    pen.lineWidth = move.rank === 1 ? 2.4 : 1.3;
    polyline(pen, [from, move]);
    pen.stroke();
    pen.globalAlpha = 1;
    dot(pen, move, fanRadius(move.rank), color, colors.paper, 1.2);
  }
  const best = scene.fan[0];
  if (best) label(pen, best.san, { x: best.x + 10, y: best.y + 4 }, colors, true);
}

export function drawOverlay(pen: Pen, scene: Scene, colors: OverlayColors): void {
  drawEnds(pen, scene, colors);
  for (const spot of scene.selected) dot(pen, spot, 2.6, css(scaleColor(colors.stops, spot.p)), colors.ink, 1);
  drawPath(pen, scene, colors);
  drawFan(pen, scene, colors);
  if (scene.current) {
    dot(pen, scene.current, 7, css(scaleColor(colors.stops, scene.current.p)), colors.paper, 2);
    dot(pen, scene.current, 9.5, "transparent", colors.accent, 2.4);
  }
  if (scene.hovered) dot(pen, scene.hovered, 6, css(scaleColor(colors.stops, scene.hovered.p)), colors.ink, 2);
  if (scene.lasso.length > 1) {
    polyline(pen, scene.lasso);
    pen.closePath();
    pen.globalAlpha = 0.12;
    pen.fillStyle = colors.accent;
    pen.fill();
    pen.globalAlpha = 1;
    pen.lineWidth = 1.5;
    pen.strokeStyle = colors.accent;
    pen.setLineDash([5, 4]);
    pen.stroke();
    pen.setLineDash([]);
  }
}
