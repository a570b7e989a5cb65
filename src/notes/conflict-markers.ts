import { RalphError } from "../domain/ralph-error.js";
import { byteText, type Line, linesOf } from "./lines.js";

const marker = /^(?:<{7}|>{7}|\|{7})(?: |$)/;
const opener = /^<{7}(?: |$)/;
const closer = /^>{7}(?: |$)/;

/** Whether bytes may contain a conflict marker: a fast check without splitting them into lines. */
function mayHaveMarkers(bytes: Buffer): boolean {
  return ["<<<<<<<", ">>>>>>>", "|||||||"].some((mark) => bytes.includes(mark));
}

/** Throws for a file with merge conflicts, which a person has to resolve. */
export function refuseConflictMarkers(path: string, bytes: Buffer): void {
  if (!mayHaveMarkers(bytes)) return;
  for (const { text, number } of linesOf(byteText(bytes))) {
    if (!marker.test(text)) continue;
    throw new RalphError("merge-conflict", `Git conflict marker in ${path}, line ${number}`, {
      hint: "resolve the conflict in the file, then run the command again",
    });
  }
}

/**
 * Maps the number of each line in a conflict to the number of the conflict's first line. A marker without its counterpart is a conflict by
 * itself.
 */
export function conflictedLines(bytes: Buffer, lines: readonly Line[]): ReadonlyMap<number, number> {
  const conflicted = new Map<number, number>();
  if (!mayHaveMarkers(bytes)) return conflicted;
  for (let index = 0; index < lines.length; index += 1) {
    const first = lines[index];
    if (first === undefined || !marker.test(first.text)) continue;
    const last = opener.test(first.text) ? indexOfCloser(lines, index + 1) : index;
    for (; index <= last; index += 1) conflicted.set(lines[index]?.number ?? 0, first.number);
    index = last;
  }
  return conflicted;
}

/** The opener itself if another conflict begins before this one is closed. */
function indexOfCloser(lines: readonly Line[], from: number): number {
  for (let index = from; index < lines.length; index += 1) {
    const text = lines[index]?.text ?? "";
    if (closer.test(text)) return index;
    if (opener.test(text)) break;
  }
  return from - 1;
}
