import { RalphError } from "../domain/ralph-error.js";
import type { Line } from "./lines.js";

const marker = /^(?:<{7}|>{7}|\|{7})(?: |$)/;

/** Stops at a file that git could not merge: reading half of it, or writing to it, would lose somebody's words. */
export function refuseConflictMarkers(path: string, lines: readonly Line[]): void {
  const conflict = lines.find((line) => marker.test(line.text));
  if (conflict === undefined) return;
  throw new RalphError("merge-conflict", `Git conflict marker in ${path}, line ${conflict.number}`, {
    hint: "resolve the conflict in the file, then run the command again",
  });
}
