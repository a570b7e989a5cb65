import { randomUUID } from "node:crypto";
import type { Environment } from "../domain/environment.js";

/** The variable that identifies everything Ralph started; child processes inherit it. */
export const markVariable = "RALPH_MARK";

const separator = ".";
const pattern = /^[0-9a-f]{32}$/;

export function newMark(): string {
  return randomUUID().replaceAll("-", "");
}

let own: string | undefined;

/** The mark of everything that this process starts. */
export function processMark(): string {
  own ??= newMark();
  return own;
}

/** Adds marks to those already set: what a nested run starts belongs to the outer run too. */
export function withMarks(environment: Environment, ...marks: readonly string[]): Environment {
  const inherited = environment[markVariable]?.split(separator) ?? [];
  return { ...environment, [markVariable]: [...inherited.filter(isMark), ...marks].join(separator) };
}

/** Marks also come from records, which may hold anything: every process would match an empty one. */
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
