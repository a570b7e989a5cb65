import { type Action, isEdit, pathOf } from "../../domain/tasks/action.js";
import { plainCommand, startedPrograms } from "../../domain/tasks/command-kind.js";
import { chainOf, isSetUp } from "../../domain/tasks/shell-line.js";
import type { Failure } from "../../failures/failure.js";
import { fileName } from "../tasks/task-work.js";
import { changesOf } from "./describe-remedy.js";

const missing =
  /\b(?:cannot find (?:module|package)|no module named|failed to (?:load|resolve)|could not resolve|unresolved import|module not found|unable to resolve|cannot resolve)\b/i;
const source = /\.(?:[cm]?[jt]sx?|vue|svelte|py|rs|go|rb|java|kt|swift|cs|php|exs?|dart|scala)$/i;

/** Whether the work wrote the missing source file itself, as when the test comes first: no other task will miss it. */
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

const notFound = /^(?:command not found: (?<after>\S+)|(?<before>[\w.@+-]+): (?:command )?not found)$/;

/** Whether a command starts the missing program, or another version of it: `python3` for `python`. */
export function startsMissing(command: string, failure: Failure): boolean {
  const missing = missingProgram(failure);
  return missing !== undefined && startedPrograms(command).some((name) => family(name) === family(missing));
}

/** Whether it starts the program in the way that failed. */
export function startsAsBefore(command: string, failure: Failure): boolean {
  const parts = chainOf(plainCommand(command));
  return !parts.some(isSetUp) && parts.some((part) => part.split(/\s/, 1)[0] === missingProgram(failure));
}

function missingProgram({ message }: Failure): string | undefined {
  const { after, before } = notFound.exec(message)?.groups ?? {};
  return after ?? before;
}

function family(program: string): string {
  return program.replace(/(?<=[a-z])[\d.]+$/, "");
}
