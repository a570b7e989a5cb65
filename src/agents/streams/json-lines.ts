const newline = 0x0a;
const brace = 0x7b;
const maxExcerptBytes = 200;

interface LineHandlers {
  /** A line that starts like an object. */
  onLine(line: string): void;
  /** A tool's parameters with long texts clipped, depth limited, and edits under uniform names. */
  onOther(excerpt: string): void;
  /** A line over the limit; it is dropped. */
  onLongLine(bytes: number): void;
}

/**
 * Splits chunks of bytes into lines that may be JSON objects. Other lines are skipped as fast as possible, since they may be
 * a gigabyte. Invalid UTF-8 becomes replacement characters.
 */
export function splitJsonLines(maxLineBytes: number, { onLine, onOther, onLongLine }: LineHandlers) {
  let pieces: Buffer[] = [];
  let length = 0;
  let isInside: "line" | "other" | "nothing" = "nothing";

  function begin(chunk: Buffer, from: number): void {
    isInside = chunk[from] === brace ? "line" : "other";
    if (isInside === "line") return;
    const end = chunk.indexOf(newline, from);
    const excerpt = chunk.subarray(from, Math.min(end === -1 ? chunk.length : end, from + maxExcerptBytes));
    if (excerpt.some((byte) => byte > 0x20)) onOther(excerpt.toString("utf8"));
  }

  /** The start of the next line that may be an object, or the end of the chunk. */
  function skipOther(chunk: Buffer, from: number): number {
    let at = chunk.indexOf(brace, from);
    while (at !== -1 && chunk[at - 1] !== newline) at = chunk.indexOf(brace, at + 1);
    if (at !== -1 || chunk.at(-1) === newline) isInside = "nothing";
    return at === -1 ? chunk.length : at;
  }

  function takeLine(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(newline, from);
    const piece = chunk.subarray(from, end === -1 ? chunk.length : end);
    length += piece.byteLength;
    if (length > maxLineBytes) pieces = [];
    else pieces.push(piece);
    if (end === -1) return chunk.length;
    finishLine();
    return end + 1;
  }

  function finishLine(): void {
    if (length > maxLineBytes) onLongLine(length);
    else if (length > 0) onLine(Buffer.concat(pieces).toString("utf8"));
    pieces = [];
    length = 0;
    isInside = "nothing";
  }

  return {
    push(chunk: Buffer): void {
      let at = 0;
      while (at < chunk.length) {
        if (isInside === "nothing" && chunk[at] === newline) {
          at += 1;
          continue;
        }
        if (isInside === "nothing") begin(chunk, at);
        at = isInside === "line" ? takeLine(chunk, at) : skipOther(chunk, at);
      }
    },
    /** The last line may lack a newline. */
    end: finishLine,
  };
}
