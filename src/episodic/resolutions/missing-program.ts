import { plainCommand, startedPrograms } from "../../domain/tasks/command-kind.js";
import { chainOf, isSetUp } from "../../domain/tasks/shell-line.js";
import type { Failure } from "../../failures/failure.js";

const notFound = /^(?:command not found: (?<after>\S+)|(?<before>[\w.@+-]+): (?:command )?not found)$/;

/** Whether a command starts the program that was not found, or another version of it: `python3` for `python`. */
export function startsMissing(command: string, failure: Failure): boolean {
  const missing = missingProgram(failure);
  return missing !== undefined && startedPrograms(command).some((name) => family(name) === family(missing));
}

/** Whether it does so in the way that failed. */
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
