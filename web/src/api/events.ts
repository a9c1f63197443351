// Server-sent events out of a stream of bytes, for answers to POST, which EventSource cannot ask for.

export interface ServerEvent {
  name: string;
  data: unknown;
}

/** Takes text as it arrives and gives the events that are complete. */
export class EventParser {
  private rest = "";

  take(text: string): ServerEvent[] {
    this.rest += text;
    const blocks = this.rest.split(/\r?\n\r?\n/);
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => parseBlock(block));
  }
}

function parseBlock(block: string): ServerEvent[] {
  let name = "message";
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length === 0 ? [] : [{ name, data: JSON.parse(data.join("\n")) as unknown }];
}

export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = new EventParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.take(decoder.decode(value, { stream: true }));
    }
  } finally {
    // A consumer that leaves the loop early has no use for the rest.
    void reader.cancel().catch(() => undefined);
  }
}
