// Layouts come in their own units; the map draws all of them within -1 and 1.
import type { MapLayout, Point } from "../api/types";
import type { Spot } from "./camera";

export interface Frame {
  x: number;
  y: number;
  half: number;
}

export function frameOf(layout: MapLayout): Frame {
  const [x0, y0, x1, y1] = layout.bounds;
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, half: Math.max(x1 - x0, y1 - y0, 1e-6) / 2 };
}

export function normal(frame: Frame, point: Point): Spot {
  return { x: (point[0] - frame.x) / frame.half, y: (point[1] - frame.y) / frame.half };
}

export function normalAll(frame: Frame, places: Float32Array): Float32Array {
  const result = new Float32Array(places.length);
  for (let i = 0; i < places.length; i += 2) {
    result[i] = (places[i]! - frame.x) / frame.half;
    result[i + 1] = (places[i + 1]! - frame.y) / frame.half;
  }
  return result;
}

export function between(a: Spot, b: Spot, share: number): Spot {
  return { x: a.x + share * (b.x - a.x), y: a.y + share * (b.y - a.y) };
}

/** Slow at both ends. */
export function ease(share: number): number {
  return share * share * (3 - 2 * share);
}
