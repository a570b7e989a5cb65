import { RalphError } from "../domain/ralph-error.js";
import type { Line } from "./lines.js";

const marker = /^(?:<{7}|>{7}|\|{7})(?: |$)/;

/** Refuses a file with merge conflicts: reading or writing it would lose somebody's notes. */
export function refuseConflictMarkers(path: string, lines: readonly Line[]): void {
  const conflict = lines.find((line) => marker.test(line.text));
  if (conflict === undefined) return;
  throw new RalphError("merge-conflict", `Git conflict marker in ${path}, line ${conflict.number}`, {
    hint: "resolve the conflict in the file, then run the command again",
  });
}
