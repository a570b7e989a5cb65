/** Bytes to take over, or the number of new ones. */
type Piece = [start: number, end: number] | number;

/**
 * Tells how to make the new content of the one before: a line that lists the pieces, then the new bytes. Parts that are views
 * of the bytes before are taken over. Undefined when that is no shorter than a copy.
 */
export function renderEdit(before: Uint8Array, parts: readonly Uint8Array[]): Buffer | undefined {
  const added: Uint8Array[] = [];
  const pieces: Piece[] = [];
  for (const part of parts) {
    const range = rangeIn(before, part);
    if (range === undefined) added.push(part);
    pieces.push(range ?? part.byteLength);
  }
  const line = Buffer.from(`${JSON.stringify(pieces)}\n`);
  const length = added.reduce((sum, part) => sum + part.byteLength, line.length);
  return length < before.byteLength ? Buffer.concat([line, ...added], length) : undefined;
}

function rangeIn(before: Uint8Array, part: Uint8Array): Piece | undefined {
  const start = part.byteOffset - before.byteOffset;
  const end = start + part.byteLength;
  return part.buffer === before.buffer && start >= 0 && end <= before.byteLength ? [start, end] : undefined;
}

/** The new content; undefined when the edit is damaged. */
export function applyEdit(before: Buffer, edit: Buffer): Buffer | undefined {
  const lineEnd = edit.indexOf(10);
  const pieces = parsePieces(edit.toString("latin1", 0, lineEnd));
  let at = lineEnd + 1;
  const parts = pieces?.map((piece) => {
    if (typeof piece !== "number") return before.subarray(...piece);
    at += piece;
    return edit.subarray(at - piece, at);
  });
  return parts && at === edit.length ? Buffer.concat(parts) : undefined;
}

function parsePieces(line: string): Piece[] | undefined {
  try {
    const pieces: unknown = JSON.parse(line);
    return Array.isArray(pieces) && pieces.every(isPiece) ? pieces : undefined;
  } catch {
    return undefined;
  }
}

function isPiece(value: unknown): value is Piece {
  const isPlace = (each: unknown) => typeof each === "number" && Number.isInteger(each) && each >= 0;
  return Array.isArray(value) ? value.length === 2 && value.every(isPlace) : isPlace(value);
}
