import { type Action, isEdit, pathOf } from "../../domain/tasks/action.js";
import { unique } from "../../text/unique.js";

const maxFiles = 5;

/** Edited files, in order. */
export function editedFiles(actions: readonly Action[]): string[] {
  return unique(actions.filter(isEdit).flatMap((action) => pathOf(action) ?? []));
}

/** Files that were read or written. */
export function touchedFiles(actions: readonly Action[]): string[] {
  return unique(actions.flatMap((action) => pathOf(action) ?? []));
}

/** The first files, and how many more there are. */
export function listFiles(files: readonly string[]): string {
  const shown = files.slice(0, maxFiles).join(", ");
  return files.length > maxFiles ? `${shown} and ${files.length - maxFiles} more` : shown;
}

/** The last part of a path. */
export function fileName(path: string): string {
  return path.replace(/^.*[\\/]/s, "");
}

export function sameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}
