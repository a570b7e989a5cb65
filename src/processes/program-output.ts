import type { Readable } from "node:stream";
import { isSystemError } from "../domain/ralph-error.js";

/** Both ends of an output of any length. */
interface KeptOutput {
  add(chunk: Buffer): void;
  bytes(): number;
  head(): Buffer;
  /** What followed the head; only the end if it is long. */
  tail(): Buffer;
}

const slackBytes = 1024 * 1024;

/** Keeps at most the given number of bytes at each end. */
export function keepOutput(headBytes: number, tailBytes: number): KeptOutput {
  const head: Buffer[] = [];
  let inHead = 0;
  let tail: Buffer[] = [];
  let inTail = 0;
  let bytes = 0;

  function addToTail(chunk: Buffer): void {
    tail.push(chunk);
    inTail += chunk.byteLength;
    // Compacted only now and then: trimming on every chunk would cost more.
    if (inTail > tailBytes + slackBytes) {
      tail = [Buffer.from(tailOf(tail))];
      inTail = tailBytes;
    }
  }

  function tailOf(chunks: readonly Buffer[]): Buffer {
    const joined = Buffer.concat(chunks);
    return joined.subarray(Math.max(0, joined.byteLength - tailBytes));
  }

  return {
    add(chunk) {
      bytes += chunk.byteLength;
      const forHead = chunk.subarray(0, headBytes - inHead);
      if (forHead.byteLength > 0) head.push(Buffer.from(forHead));
      inHead += forHead.byteLength;
      const rest = chunk.subarray(forHead.byteLength);
      if (rest.byteLength > 0) addToTail(rest);
    },
    bytes: () => bytes,
    head: () => Buffer.concat(head),
    tail: () => tailOf(tail),
  };
}

/** Both ends as one text, with a line that says how much is left out between them. */
export function joinKept(kept: KeptOutput): string {
  const [head, tail] = [kept.head(), kept.tail()];
  const omitted = kept.bytes() - head.byteLength - tail.byteLength;
  if (omitted === 0) return Buffer.concat([head, tail]).toString("utf8");
  return `${head.toString("utf8")}\n[… ${omitted} bytes left out …]\n${tail.toString("utf8")}`;
}

/** Handles one chunk at a time, so that the program waits for slow handlers. */
export async function readOutput(
  stream: Readable,
  onChunk: (chunk: Buffer) => void | Promise<void>,
  onFailure: (error: unknown) => void,
): Promise<void> {
  try {
    for await (const chunk of stream) await onChunk(chunk);
  } catch (error) {
    if (!isSystemError(error, "ERR_STREAM_PREMATURE_CLOSE")) onFailure(error);
  }
}

const maxDrainMs = 30_000;

/** A process outside the group may keep the output open, so it is read until nothing more arrives. */
export async function waitUntilIdle(idleMs: () => number, lingerMs: number): Promise<void> {
  const end = performance.now() + maxDrainMs;
  while (performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, lingerMs / 4).unref());
    if (idleMs() >= lingerMs) return;
  }
}
