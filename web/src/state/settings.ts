// What a person has chosen: kept in this browser, and where it is part of what is shown, in the address.
import { effect, signal, type Signal } from "@preact/signals";
import type { LayoutName, PlanName } from "../api/types";
import type { View } from "./address";

export type ThemeChoice = "system" | "light" | "dark";
export type Strength =
  | { kind: "elo"; elo: number }
  | { kind: "time"; milliseconds: number }
  | { kind: "tree"; width: number; depth: number };

export interface ClockChoice {
  /** Minutes each; 0 plays without clocks. */
  minutes: number;
  /** Seconds per move. */
  increment: number;
}

function kept<T>(key: string, standard: T): Signal<T> {
  let start = standard;
  try {
    const text = localStorage.getItem(`solis.${key}`);
    if (text !== null) start = JSON.parse(text) as T;
  } catch {
    // Storage that is switched off or damaged means the standard.
  }
  const choice = signal(start);
  effect(() => {
    try {
      localStorage.setItem(`solis.${key}`, JSON.stringify(choice.value));
    } catch {
      // Not kept, then.
    }
  });
  return choice;
}

export const theme = kept<ThemeChoice>("theme", "system");
export const sounds = kept("sounds", false);
export const strength = kept<Strength>("strength", { kind: "elo", elo: 1500 });
export const clockChoice = kept<ClockChoice>("clock", { minutes: 0, increment: 0 });
export const lineCount = kept("lines", 3);
export const showArrows = kept("arrows", true);
export const compare = kept("compare", false);
export const paperWidth = kept("width", 3);
export const paperDepth = kept("depth", 4);

// Part of the address.
export const view = signal<View>("play");
/** Empty stands for the server's first model. */
export const model = signal("");
export const plan = signal<PlanName>("deep");
export const anchored = signal(false);
export const layout = signal<LayoutName>("umap");
export const flipped = signal(false);
export const heat = signal(false);
export const watchId = signal("");
