import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { scratchFolder } from "../support/scratch.js";

it("the user's home becomes a project only by ralph init, and never for the folders below it", async () => {
  const home = scratchFolder();
  const below = join(home, "papers");
  mkdirSync(below);
  const env = { HOME: home, RALPH_HOME: undefined };
  const ralph = (cwd: string, ...args: string[]) => runRalph(args, { cwd, env });
  await ralph(below, "memory", "add", "Prefer podman", "--global");
  const refused = await ralph(home, "memory", "add", "Buy milk");
  expect(refused).toMatchObject({ status: 2, stdout: "" });
  expect(refused.stderr).toMatch(/^Error: Your home folder is not a project.*--global.*ralph init/);
  expect((await ralph(home, "task", "init", "Buy milk")).status).toBe(2);
  expect((await ralph(home)).stdout).toContain("no memory here yet");
  expect(existsSync(join(home, ".agent"))).toBe(false);

  expect((await ralph(home, "init")).stderr).toContain("this is your home folder");
  expect((await ralph(home, "memory", "add", "Buy milk")).status).toBe(0);
  expect((await ralph(below, "memory", "list")).stdout).toBe("");
  await ralph(below, "memory", "add", "Count the pages");
  expect(existsSync(join(below, ".agent/memories.md"))).toBe(true);
});
