import { type Action, isEdit, pathOf } from "../../domain/tasks/action.js";
import { unique } from "../../text/unique.js";

const maxFiles = 5;

/** The files that were edited, as they come. */
export function editedFiles(actions: readonly Action[]): string[] {
  return unique(actions.filter(isEdit).flatMap((action) => pathOf(action) ?? []));
}

/** Every file that the actions read or wrote. */
export function touchedFiles(actions: readonly Action[]): string[] {
  return unique(actions.flatMap((action) => pathOf(action) ?? []));
}

export function inWords(files: readonly string[]): string {
  const shown = files.slice(0, maxFiles).join(", ");
  return files.length > maxFiles ? `${shown} and ${files.length - maxFiles} more` : shown;
}

export function sameFile(one: string, other: string): boolean {
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}
