// Keys that work anywhere on the page, unless a person is typing.
import { analysing } from "./analysis";
import * as game from "./game";
import { takeBack } from "./opponent";
import { flipped, heat, showArrows, view } from "./settings";

const ACTIONS: Record<string, () => void> = {
  ArrowLeft: () => game.step(-1),
  ArrowRight: () => game.step(1),
  Home: game.toStart,
  End: game.toEnd,
  f: () => (flipped.value = !flipped.peek()),
  h: () => (heat.value = !heat.peek()),
  a: () => (showArrows.value = !showArrows.peek()),
  u: takeBack,
  " ": () => (analysing.value = !analysing.peek()),
};

function isBusy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("input, textarea, select, [role=slider], [role=dialog]")) return true;
  // Space presses the button that has the focus.
  return key === " " && target.closest("button, a, label") !== null;
}

export function watchKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || view.peek() === "watch") return;
    const act = ACTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act || isBusy(event.target, event.key)) return;
    event.preventDefault();
    act();
  });
}
