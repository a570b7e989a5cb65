import type { Action } from "../domain/action.js";

const editingTools = /^(?:write|edit|multiedit|notebookedit|apply_patch|str_replace\w*)$/i;
const maxFiles = 5;

export function isEdit({ type, tool }: Action): boolean {
  return editingTools.test(type ?? tool);
}

/** The path that an action names. */
export function pathOf({ params }: Action): string | undefined {
  const path = params.file_path ?? params.path ?? params.file ?? params.notebook_path;
  return typeof path === "string" && path !== "" ? path : undefined;
}

/** The first line of the command that an action ran. */
export function commandOf({ params }: Action): string | undefined {
  return typeof params.command === "string" ? params.command.trim().split("\n")[0] : undefined;
}

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

function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
