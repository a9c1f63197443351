// Points sorted into cells, so that the one under the pointer and those inside a lasso are found at once.
import type { Spot } from "./camera";

const CELLS = 160;

function cellOf(value: number): number {
  return Math.min(CELLS - 1, Math.max(0, Math.floor(((value + 1) / 2) * CELLS)));
}

export class Grid {
  private readonly starts = new Uint32Array(CELLS * CELLS + 1);
  private readonly ids: Uint32Array;

  /** `places` holds x and y of each point, within -1 and 1. */
  constructor(private readonly places: Float32Array) {
    const count = places.length / 2;
    this.ids = new Uint32Array(count);
    const cells = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const cell = cellOf(places[2 * i + 1] ?? 0) * CELLS + cellOf(places[2 * i] ?? 0);
      cells[i] = cell;
      this.starts[cell + 1]! += 1;
    }
    for (let c = 0; c < CELLS * CELLS; c++) this.starts[c + 1]! += this.starts[c]!;
    const next = this.starts.slice(0, -1);
    for (let i = 0; i < count; i++) this.ids[next[cells[i]!]!++] = i;
  }

  /** The point nearest to a place, if one is within the radius. */
  nearest(spot: Spot, radius: number): number | null {
    let best: number | null = null;
    let least = radius * radius;
    this.visit(spot.x - radius, spot.y - radius, spot.x + radius, spot.y + radius, (id, x, y) => {
      const distance = (x - spot.x) ** 2 + (y - spot.y) ** 2;
      if (distance <= least) {
        least = distance;
        best = id;
      }
    });
    return best;
  }

  /** All points inside a polygon. */
  inside(polygon: readonly Spot[]): number[] {
    const xs = polygon.map((spot) => spot.x);
    const ys = polygon.map((spot) => spot.y);
    const found: number[] = [];
    this.visit(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), (id, x, y) => {
      if (contains(polygon, x, y)) found.push(id);
    });
    return found;
  }

  private visit(x0: number, y0: number, x1: number, y1: number, see: (id: number, x: number, y: number) => void): void {
    for (let row = cellOf(y0); row <= cellOf(y1); row++) {
      const from = this.starts[row * CELLS + cellOf(x0)]!;
      const to = this.starts[row * CELLS + cellOf(x1) + 1]!;
      for (let i = from; i < to; i++) {
        const id = this.ids[i]!;
        see(id, this.places[2 * id]!, this.places[2 * id + 1]!);
      }
    }
  }
}

/** Even-odd rule. */
export function contains(polygon: readonly Spot[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = polygon.length - 1; i < polygon.length; j = i++) {
    const a = polygon[i]!;
    const b = polygon[j]!;
    const crosses = a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x;
    if (crosses) inside = !inside;
  }
  return inside;
}
