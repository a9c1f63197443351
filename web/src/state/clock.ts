// Chess clocks. Arithmetic is apart from the ticking, so that it can be tested.
import { computed, signal } from "@preact/signals";
import { opposite, type Color } from "../chess/fen";

export interface Clock {
  white: number;
  black: number;
  /** Milliseconds added after each move. */
  increment: number;
  /** Whose time runs; null while the clocks stand. */
  running: Color | null;
  /** When it began to run, by the page's own clock. */
  since: number;
}

export function newClock(minutes: number, incrementSeconds: number): Clock {
  return { white: minutes * 60000, black: minutes * 60000, increment: incrementSeconds * 1000, running: null, since: 0 };
}

/** What is left of a side's time. */
export function left(clock: Clock, side: Color, now: number): number {
  const stored = side === "w" ? clock.white : clock.black;
  return clock.running === side ? Math.max(0, stored - (now - clock.since)) : stored;
}

/** The clocks at this moment, standing still. */
export function paused(clock: Clock, now: number): Clock {
  return { ...clock, white: left(clock, "w", now), black: left(clock, "b", now), running: null, since: 0 };
}

/** After a move of `side`: its increment is added and the other's time runs. */
export function pressed(clock: Clock, side: Color, now: number): Clock {
  const still = paused(clock, now);
  const bonus = clock.running === side ? clock.increment : 0;
  return {
    ...still,
    white: still.white + (side === "w" ? bonus : 0),
    black: still.black + (side === "b" ? bonus : 0),
    running: opposite(side),
    since: now,
  };
}

export function clockFace(milliseconds: number): string {
  if (milliseconds < 10000) return (Math.floor(milliseconds / 100) / 10).toFixed(1);
  const seconds = Math.ceil(milliseconds / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

export const clock = signal<Clock | null>(null);
const now = signal(performance.now());
/** The side whose time has run out. */
export const flagged = signal<Color | null>(null);

export const whiteLeft = computed(() => (clock.value ? left(clock.value, "w", now.value) : 0));
export const blackLeft = computed(() => (clock.value ? left(clock.value, "b", now.value) : 0));

export function startTicking(): void {
  setInterval(() => {
    const running = clock.peek()?.running;
    if (!running) return;
    now.value = performance.now();
    if ((running === "w" ? whiteLeft : blackLeft).peek() === 0) {
      clock.value = paused(clock.peek() as Clock, now.peek());
      flagged.value = running;
    }
  }, 100);
}

export function stopClock(): void {
  const ticking = clock.peek();
  if (ticking?.running) clock.value = paused(ticking, performance.now());
}
