const newline = 0x0a;
const brace = 0x7b;
const maxExcerptBytes = 200;

export interface LineHandlers {
  /** A line that begins like an object. */
  onLine(line: string): void;
  /** One or more lines of anything else; how the first of them begins. */
  onOther(excerpt: string): void;
  /** A line longer than the limit, of which nothing is kept. */
  onLongLine(bytes: number): void;
}

/**
 * Finds the lines of bytes that come in pieces which may be JSON objects. What lies between them is passed over as fast as it
 * can be searched, since it may be a gigabyte. Bytes that are no UTF-8 become replacement characters.
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

  /** Where the next line begins that may be an object, or the end of the chunk. */
  function passOver(chunk: Buffer, from: number): number {
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
        at = isInside === "line" ? takeLine(chunk, at) : passOver(chunk, at);
      }
    },
    /** A last line may have no end. */
    end: finishLine,
  };
}
