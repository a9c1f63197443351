// What the page has to tell: failures to be seen, events to be heard by a screen reader.
import { signal } from "@preact/signals";

export interface Notice {
  id: number;
  text: string;
  hint: string;
}

export const notice = signal<Notice | null>(null);
/** Read out politely; never shown. */
export const spoken = signal("");

let count = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

const SECONDS_SHOWN = 8;

export function tell(text: string, hint = ""): void {
  count += 1;
  notice.value = { id: count, text, hint };
  clearTimeout(timer);
  timer = setTimeout(dismiss, SECONDS_SHOWN * 1000);
}

export function dismiss(): void {
  notice.value = null;
}

export function say(text: string): void {
  spoken.value = text;
}
