// Texts that are too large for an address: the games of an opened file, one text per tab.
import { tabId } from "./tab";

const STORE = "texts";
const MOST_TABS = 8;

function request<T>(make: () => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const asked = make();
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("the browser's storage failed"));
  });
}

async function open(): Promise<IDBDatabase> {
  return request(() => {
    const opening = indexedDB.open("solis", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    return opening;
  });
}

interface Entry {
  text: string;
  when: number;
}

async function forgetOld(store: IDBObjectStore): Promise<void> {
  const keys = await request(() => store.getAllKeys());
  if (keys.length <= MOST_TABS) return;
  const entries = (await request(() => store.getAll())) as Entry[];
  const oldest = keys.map((key, i) => ({ key, when: entries[i]?.when ?? 0 })).sort((a, b) => a.when - b.when);
  for (const { key } of oldest.slice(0, keys.length - MOST_TABS)) store.delete(key);
}

/** Keeps a text for this tab; null forgets it. Storage that is switched off keeps nothing. */
export async function keepText(text: string | null): Promise<void> {
  try {
    const store = (await open()).transaction(STORE, "readwrite").objectStore(STORE);
    if (text === null) store.delete(tabId);
    else store.put({ text, when: Date.now() } satisfies Entry, tabId);
    await forgetOld(store);
  } catch {
    // Nothing is kept, then.
  }
}

export async function keptText(): Promise<string | null> {
  try {
    const store = (await open()).transaction(STORE).objectStore(STORE);
    return ((await request(() => store.get(tabId))) as Entry | undefined)?.text ?? null;
  } catch {
    return null;
  }
}
