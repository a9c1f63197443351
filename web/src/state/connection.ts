// Whether the server is there. It is asked now and then; where it is gone, until it is back.
import { batch, signal } from "@preact/signals";
import { get, onConnectionLost } from "../api/client";
import type { Status } from "../api/types";

export const status = signal<Status | null>(null);
/** Null until the first answer. */
export const online = signal<boolean | null>(null);
/** Grows with every server that answers for the first time: what was interrupted starts again. */
export const epoch = signal(0);

const SECONDS_ONLINE = 5;
const SECONDS_OFFLINE = 0.7;
let timer: ReturnType<typeof setTimeout> | undefined;

async function ask(): Promise<void> {
  clearTimeout(timer);
  try {
    const answer = await get<Status>("status");
    const isNew = status.peek()?.instance !== answer.instance || online.peek() !== true;
    // At once: what starts again with a new server must start once, not for each of the signals.
    batch(() => {
      if (JSON.stringify(status.peek()) !== JSON.stringify(answer)) status.value = answer;
      online.value = true;
      if (isNew) epoch.value += 1;
    });
  } catch {
    online.value = false;
  }
  const seconds = online.peek() ? SECONDS_ONLINE : SECONDS_OFFLINE;
  clearTimeout(timer);
  timer = setTimeout(() => void ask(), seconds * 1000);
}

export function watchConnection(): void {
  onConnectionLost(() => {
    if (online.peek() === false) return;
    online.value = false;
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), SECONDS_OFFLINE * 1000);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void ask();
  });
  void ask();
}
