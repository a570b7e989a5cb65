import { randomUUID } from "node:crypto";
import type { Environment } from "../domain/environment.js";

/** Names everything that Ralph has started; the programs' own children inherit it. */
export const markVariable = "RALPH_MARK";

const separator = ".";
const pattern = /^[0-9a-f]{32}$/;

/** Random, so that nothing else carries it. */
export function newMark(): string {
  return randomUUID().replaceAll("-", "");
}

let own: string | undefined;

/** The mark of everything that this process starts. */
export function processMark(): string {
  own ??= newMark();
  return own;
}

/** Adds marks to those that the environment has: what a nested run starts belongs to the outer one too. */
export function withMarks(environment: Environment, ...marks: readonly string[]): Environment {
  const inherited = environment[markVariable]?.split(separator) ?? [];
  return { ...environment, [markVariable]: [...inherited.filter(isMark), ...marks].join(separator) };
}

/** Marks come from records, too, which may hold anything: an empty one would be carried by every process. */
export function isMark(text: unknown): text is string {
  return typeof text === "string" && pattern.test(text);
}

/** Whether an environment, as the system lists it, has the mark. */
export function carriesMark(variables: string, mark: string): boolean {
  if (!isMark(mark) || !variables.includes(mark)) return false;
  const start = `${markVariable}=`;
  return variables
    .split(/[\0 ]/)
    .some((each) => each.startsWith(start) && each.slice(start.length).split(separator).includes(mark));
}
