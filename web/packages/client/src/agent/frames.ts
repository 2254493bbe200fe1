/** Server-sent events as frames, each with the cursor behind it. */

export interface Frame {
  /** The place behind this event; absent inside of a prelude. */
  cursor?: string;
  data: string;
}

/**
 * The frames of a response, as they come. `alive` is called for every piece that arrives, comments included, so that
 * silence can be told from a connection that is gone.
 */
export async function* framesOf(body: ReadableStream<Uint8Array>, alive: () => void = () => {}): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      alive();
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const frame = frameOf(block);
        if (frame !== undefined) yield frame;
      }
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

function frameOf(block: string): Frame | undefined {
  const data: string[] = [];
  let cursor: string | undefined;
  for (const line of block.split("\n")) {
    if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    else if (line.startsWith("id:")) cursor = line.slice(3).trim();
  }
  if (data.length === 0) return undefined;
  return cursor === undefined ? { data: data.join("\n") } : { cursor, data: data.join("\n") };
}
