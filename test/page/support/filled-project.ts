import { execFileSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../../src/memory/open-memory.js";
import { ralphEnvironment, ralphProgram } from "../../support/run-ralph.js";
import { newRepository } from "./served-page.js";

/** A project as it is after some weeks: a replayed history, notes, and findings that wait for a review. */
export async function fillProject(root: string): Promise<void> {
  // @ts-expect-error a plain script without types
  const { replayHistory } = await import("../../../scripts/page-history.mjs");
  const environment = ralphEnvironment(root);
  await replayHistory(openMemory, { root, environment, tasks: 24 });
  // @ts-expect-error a plain script without types
  const { addNotesAndFindings } = await import("../../../scripts/page-history.mjs");
  await addNotesAndFindings(openMemory, { root, environment });
}

/** The project that `ralph demo` leaves. */
export function demoProject(): string {
  const root = newRepository();
  const said = execFileSync(process.execPath, [ralphProgram, "demo", "--keep"], {
    env: ralphEnvironment(root),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const folder = /^ +(\/\S*ralph-demo-\S+)/m.exec(said)?.[1] ?? "";
  rmSync(root, { recursive: true, force: true });
  cpSync(join(folder, "user-home"), join(folder, ".home"), { recursive: true });
  return folder;
}
