// Requests to the server that the page came from.
import { eventsOf, type ServerEvent } from "./events";

const API = "api/v1/";

/** A failure with words for people: what, and what to do about it. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly hint = "",
  ) {
    super(message);
  }

  /** Whether nobody answered, as opposed to answering no. */
  get isOffline(): boolean {
    return this.status === 0;
  }
}

type Listener = () => void;
const lostListeners = new Set<Listener>();

/** Hears of every request that found no server. */
export function onConnectionLost(listener: Listener): void {
  lostListeners.add(listener);
}

function offline(): ApiError {
  for (const listener of lostListeners) listener();
  return new ApiError("the server does not answer", 0, "start `solis serve` again; the page goes on by itself");
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

async function failure(response: Response): Promise<ApiError> {
  try {
    const body = (await response.json()) as { error?: { message?: string; hint?: string } };
    return new ApiError(body.error?.message ?? response.statusText, response.status, body.error?.hint);
  } catch {
    return new ApiError(`the server answered ${response.status}`, response.status);
  }
}

async function request(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(API + path, init);
  } catch (error) {
    if (isAbort(error)) throw error;
    throw offline();
  }
  if (!response.ok) throw await failure(response);
  return response;
}

function posting(body: unknown, signal?: AbortSignal): RequestInit {
  return {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: signal ?? null,
  };
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await request(path, { signal: signal ?? null })).json()) as T;
}

export async function getFloats(path: string, signal?: AbortSignal): Promise<Float32Array> {
  return new Float32Array(await (await request(path, { signal: signal ?? null })).arrayBuffer());
}

export async function getText(path: string): Promise<string> {
  return (await request(path, {})).text();
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await (await request(path, posting(body, signal))).json()) as T;
}

/** A stream of events. Ends with the stream; rejects where it breaks off or brings an error. */
export async function* stream(path: string, body: unknown | undefined, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const response = await request(path, body === undefined ? { signal } : posting(body, signal));
  if (!response.body) throw offline();
  try {
    for await (const event of eventsOf(response.body)) {
      if (event.name === "error") {
        const { error, message, hint } = event.data as { error?: { message: string; hint?: string }; message?: string; hint?: string };
        throw new ApiError(error?.message ?? message ?? "the plan failed", 500, error?.hint ?? hint);
      }
      yield event;
    }
  } catch (error) {
    if (error instanceof ApiError || isAbort(error)) throw error;
    throw offline();
  }
}
