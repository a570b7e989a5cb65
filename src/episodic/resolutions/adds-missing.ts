import { type Action, isEdit, pathOf } from "../../domain/tasks/action.js";
import type { Failure } from "../../failures/failure.js";
import { fileName } from "../tasks/work-done.js";
import { changesOf } from "./changes.js";

const missing =
  /\b(?:cannot find (?:module|package)|no module named|failed to (?:load|resolve)|could not resolve|unresolved import|module not found|unable to resolve|cannot resolve)\b/i;
const source = /\.(?:[cm]?[jt]sx?|vue|svelte|py|rs|go|rb|java|kt|swift|cs|php|exs?|dart|scala)$/i;

/** Whether what was missing is a source file that the work then wrote, as it is when the test comes first: no other task will miss it. */
export function addsMissing({ message }: Failure, remedy: readonly Action[]): boolean {
  if (!missing.test(message)) return false;
  const named = new Set(message.toLowerCase().match(/[\w-]+/g));
  return remedy.some((action) => {
    const path = pathOf(action);
    if (path === undefined || !isEdit(action) || !source.test(path)) return false;
    const name = fileName(path).replace(source, "").toLowerCase();
    const changes = changesOf(action);
    return named.has(name) && changes.length > 0 && changes.every(({ before }) => before.trim() === "");
  });
}
