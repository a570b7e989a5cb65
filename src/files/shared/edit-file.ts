/** Bytes to take over, or the number of new ones. */
type Piece = [start: number, end: number] | number;

/** What is smaller is copied as quickly as an edit is written. */
const leastBytes = 64 * 1024;
/** An edit that is larger, as a share of the content before, is not worth keeping. */
const largestShare = 1 / 4;

/**
 * Tells how to make the new content of the one before: a line that lists the pieces, then the new bytes. Parts that are views
 * of the bytes before, in their order, are taken over. Undefined when a copy is as good.
 */
export function renderEdit(before: Uint8Array, parts: readonly Uint8Array[]): Buffer | undefined {
  if (before.byteLength < leastBytes) return undefined;
  const added: Uint8Array[] = [];
  const pieces: Piece[] = [];
  let taken = 0;
  for (const part of parts) {
    const start = part.buffer === before.buffer ? part.byteOffset - before.byteOffset : -1;
    const end = start + part.byteLength;
    if (start >= taken && end <= before.byteLength) {
      pieces.push([start, end]);
      taken = end;
    } else {
      pieces.push(part.byteLength);
      added.push(part);
    }
  }
  const line = Buffer.from(`${JSON.stringify(pieces)}\n`);
  const length = added.reduce((sum, part) => sum + part.byteLength, line.length);
  return length <= before.byteLength * largestShare ? Buffer.concat([line, ...added], length) : undefined;
}

/** The new content; undefined when the edit is damaged, or one that Ralph does not write: a repository could bring some. */
export function applyEdit(before: Buffer, edit: Buffer): Buffer | undefined {
  const lineLength = edit.indexOf(10) + 1;
  const pieces = parsePieces(edit.subarray(0, lineLength));
  const parts: Buffer[] = [];
  let taken = 0;
  let added = lineLength;
  for (const piece of pieces ?? []) {
    if (typeof piece === "number") {
      parts.push(edit.subarray(added, added + piece));
      added += piece;
    } else {
      const [start, end] = piece;
      // Nothing is taken twice: the content cannot be larger than what it is made of.
      if (start < taken || end < start || end > before.length) return undefined;
      parts.push(before.subarray(start, end));
      taken = end;
    }
  }
  return pieces !== undefined && added === edit.length ? Buffer.concat(parts) : undefined;
}

function parsePieces(line: Buffer): Piece[] | undefined {
  try {
    const pieces: unknown = JSON.parse(line.toString("latin1"));
    return Array.isArray(pieces) && pieces.every(isPiece) ? pieces : undefined;
  } catch {
    return undefined;
  }
}

function isPiece(value: unknown): value is Piece {
  return Array.isArray(value) ? value.length === 2 && value.every(isPlace) : isPlace(value);
}

function isPlace(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
