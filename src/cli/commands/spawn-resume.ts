import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../../domain/environment.js";
import { wrongUse } from "../framework/command.js";

/** A run that cannot be resumed fails within this time. */
const settlesWithinMs = 4000;

/**
 * Goes on with a run in a process of its own, which outlives the page: `ralph status` shows it and `ralph stop` ends it. Waits
 * until it is seen to work, or fails with what it said.
 */
export async function startResume(
  taskId: string,
  { root, environment }: { root: string; environment: Environment },
): Promise<void> {
  if (!/^task-\d+$/.test(taskId)) throw wrongUse(`No task id: ${taskId.slice(0, 40)}`);
  const { spawn } = await import("node:child_process");
  const folder = mkdtempSync(join(tmpdir(), "ralph-resume-"));
  const path = join(folder, "said");
  const said = openSync(path, "w");
  try {
    const child = spawn(
      process.execPath,
      [process.argv[1] ?? "", "resume", taskId, "--json", "--root", root],
      {
        cwd: root,
        env: environment as NodeJS.ProcessEnv,
        stdio: ["ignore", "ignore", said],
        detached: true,
      },
    );
    const status = await new Promise<number | null | undefined>((done, fail) => {
      const timer = setTimeout(() => done(undefined), settlesWithinMs);
      child.once("error", fail);
      child.once("exit", (code) => {
        clearTimeout(timer);
        done(code);
      });
    });
    child.unref();
    const text = readFileSync(path, "utf8").trim();
    // A run that ended by then has recorded how.
    if (status !== undefined && status !== 0 && text.startsWith("Error: "))
      throw wrongUse(text.slice("Error: ".length));
  } finally {
    closeSync(said);
    rmSync(folder, { recursive: true, force: true });
  }
}
