// Text from outside, by paste, drop or file: a position or games.
import { batch } from "@preact/signals";
import { clock, flagged } from "./clock";
import { openText } from "./game";
import { person, resigned } from "./opponent";
import { view } from "./settings";

/** Opens a FEN or PGN; gives whether there was something to open. A game being played is left. */
export async function openAnything(text: string): Promise<boolean> {
  const kind = await openText(text);
  if (kind === null) return false;
  batch(() => {
    person.value = null;
    clock.value = null;
    flagged.value = null;
    resigned.value = null;
    if (kind === "games" || view.peek() === "play") view.value = kind === "fen" ? "plan" : kind === "games" ? "games" : "review";
  });
  return true;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
}

/** Takes what is pasted or dropped anywhere on the page. */
export function watchDrops(onDrag: (over: boolean) => void): void {
  document.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (isTyping(event.target) || text.trim() === "") return;
    event.preventDefault();
    void openAnything(text);
  });
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    onDrag(true);
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) onDrag(false);
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    onDrag(false);
    const file = event.dataTransfer?.files[0];
    const text = file ? file.text() : Promise.resolve(event.dataTransfer?.getData("text/plain") ?? "");
    void text.then(openAnything);
  });
}
