// Mouse, fingers and keys on the map, as what they mean.
import type { Spot } from "./camera";

export interface MapActions {
  pan(dx: number, dy: number): void;
  zoom(spot: Spot, factor: number): void;
  zoomCentre(factor: number): void;
  hover(spot: Spot | null): void;
  tap(spot: Spot): void;
  reset(): void;
  /** Whether dragging draws a lasso now. */
  lassoing(): boolean;
  lassoStart(spot: Spot): void;
  lassoMove(spot: Spot): void;
  lassoEnd(): void;
}

const TAP_DISTANCE = 5;
const KEY_STEP = 40;

class Gestures {
  private readonly fingers = new Map<number, Spot>();
  private moved = 0;
  private drawing = false;

  constructor(
    private readonly element: HTMLElement,
    private readonly actions: MapActions,
  ) {}

  private spotOf(event: MouseEvent): Spot {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.element.setPointerCapture(event.pointerId);
    const spot = this.spotOf(event);
    this.fingers.set(event.pointerId, spot);
    this.moved = 0;
    this.drawing = this.fingers.size === 1 && (event.shiftKey || this.actions.lassoing());
    if (this.drawing) this.actions.lassoStart(spot);
  }

  move(event: PointerEvent): void {
    const spot = this.spotOf(event);
    const before = this.fingers.get(event.pointerId);
    if (!before) {
      this.actions.hover(spot);
      return;
    }
    this.moved += Math.hypot(spot.x - before.x, spot.y - before.y);
    if (this.drawing) this.actions.lassoMove(spot);
    else if (this.fingers.size === 2) this.pinch(event.pointerId, before, spot);
    else if (this.moved > TAP_DISTANCE) this.actions.pan(spot.x - before.x, spot.y - before.y);
    this.fingers.set(event.pointerId, spot);
  }

  private pinch(id: number, before: Spot, after: Spot): void {
    const other = [...this.fingers].find(([finger]) => finger !== id)?.[1];
    if (!other) return;
    const length = (spot: Spot) => Math.max(1, Math.hypot(spot.x - other.x, spot.y - other.y));
    const middle = { x: (after.x + other.x) / 2, y: (after.y + other.y) / 2 };
    this.actions.zoom(middle, length(after) / length(before));
    this.actions.pan((after.x - before.x) / 2, (after.y - before.y) / 2);
  }

  up(event: PointerEvent): void {
    if (!this.fingers.delete(event.pointerId)) return;
    const wasTap = this.moved <= TAP_DISTANCE && event.type === "pointerup";
    if (this.drawing) this.actions.lassoEnd();
    this.drawing = false;
    if (wasTap && this.fingers.size === 0) this.actions.tap(this.spotOf(event));
  }

  wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    this.actions.zoom(this.spotOf(event), Math.exp(-0.0016 * lines * event.deltaY));
  }

  key(event: KeyboardEvent): void {
    const pans: Record<string, [number, number]> = {
      ArrowLeft: [KEY_STEP, 0],
      ArrowRight: [-KEY_STEP, 0],
      ArrowUp: [0, KEY_STEP],
      ArrowDown: [0, -KEY_STEP],
    };
    const pan = pans[event.key];
    if (pan) this.actions.pan(...pan);
    else if (event.key === "+" || event.key === "=") this.actions.zoomCentre(1.4);
    else if (event.key === "-") this.actions.zoomCentre(1 / 1.4);
    else if (event.key === "0") this.actions.reset();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Listens until the function that comes back is called. */
export function listen(element: HTMLElement, actions: MapActions): () => void {
  const gestures = new Gestures(element, actions);
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(name: K, act: (event: HTMLElementEventMap[K]) => void) =>
    element.addEventListener(name, act, { signal: stop.signal, passive: false });
  on("pointerdown", (event) => gestures.down(event));
  on("pointermove", (event) => gestures.move(event));
  on("pointerup", (event) => gestures.up(event));
  on("pointercancel", (event) => gestures.up(event));
  on("pointerleave", () => actions.hover(null));
  on("wheel", (event) => gestures.wheel(event));
  on("keydown", (event) => gestures.key(event));
  return () => stop.abort();
}
