import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ralphEnvironment, ralphLibrary } from "../../support/run-ralph.js";

/** Another build can be attacked instead, to compare. */
export const attackedLibrary = process.env.RALPH_TEST_LIBRARY ?? ralphLibrary;

export type FileKind = "notes" | "continuity";

const script = (name: string) => join(import.meta.dirname, `${name}.mjs`);

export const targetIn = (cwd: string, kind: FileKind) =>
  join(cwd, ".agent", kind === "notes" ? "memories.md" : "CONTINUITY.md");

export function forkPerson(cwd: string, kind: FileKind): ChildProcess {
  return fork(script("person"), [targetIn(cwd, kind), cwd]);
}

export function forkUpdater(cwd: string, kind: FileKind, { mode = "asked", killAt = "" } = {}): ChildProcess {
  const preload = join(import.meta.dirname, "../../support/kill-at-call.cjs");
  return fork(script("updater"), [attackedLibrary, kind, mode], {
    cwd,
    env: ralphEnvironment(cwd, { KILL_AT: killAt }),
    ...(killAt !== "" && { execArgv: ["--require", preload] }),
  });
}

export async function answerOf(child: ChildProcess): Promise<unknown> {
  const [message] = await Promise.race([
    once(child, "message"),
    once(child, "exit").then((end) => Promise.reject(new Error(`The process ended: ${end}`))),
  ]);
  return message;
}

export async function update(updater: ChildProcess, text: string): Promise<string> {
  const answer = answerOf(updater);
  updater.send(text);
  const { id, problem } = (await answer) as { id?: string; problem?: string };
  if (problem !== undefined) throw new Error(problem);
  return id ?? "";
}
