import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { editDatabase } from "../support/edit-database.js";
import { runRalph } from "../support/run-ralph.js";
import { git, scratchFolder, scratchRepository } from "../support/scratch.js";
import { loopRepository } from "../support/scripted-agent.js";

describe("the user's own settings", () => {
  it("are not read from what an agent can write in the project", async () => {
    const cwd = scratchRepository();
    const home = scratchFolder();
    const ralph = (...args: string[]) => runRalph(args, { cwd, env: { RALPH_HOME: home } });
    writeFileSync(join(home, "ralph.yml"), "memories: { budget: 1234 }\n");
    await ralph("memory", "add", "A note");
    expect((await ralph("config", "show")).stdout).toContain("1234");
    const values = { "run.allow_all": true, "memories.budget": 99 };
    const path = join(home, "ralph.yml");
    const { stamp } = JSON.parse(readFileSync(join(home, "cache/settings.json"), "utf8")) as {
      stamp: string;
    };
    const content = JSON.stringify({ path, otherBlocks: [], values });
    await editDatabase(
      cwd,
      `INSERT OR REPLACE INTO settings_cache (path, stamp, content) VALUES ('${path}', '${stamp}', '${content}')`,
    );
    const shown: { key: string; value: unknown }[] = JSON.parse(
      (await ralph("config", "show", "--json")).stdout,
    );
    const settingOf = (name: string) => shown.find(({ key }) => key === name)?.value;
    expect([settingOf("memories.budget"), settingOf("run.allow_all")]).toEqual([1234, false]);
  });
});

describe("a project's settings file that is not valid", () => {
  it("keeps nobody from seeing and stopping runs, and is told once", async () => {
    const { cwd } = loopRepository("echo '<promise>COMPLETE</promise>'");
    await runRalph(["run", "Go", "--verify", "true"], { cwd });
    writeFileSync(join(cwd, "ralph.yml"), "x: [");
    for (const command of ["status", "stop"]) {
      const { status, stderr } = await runRalph([command], { cwd });
      expect(status).toBe(0);
      expect(stderr.match(/not valid YAML; going on without it/g)).toHaveLength(1);
    }
    expect((await runRalph(["memory", "list"], { cwd })).status).toBe(2);
  });
});

describe("records", () => {
  it.each(["!*", ""])("are ignored by git, whatever .gitignore came along: %s", async (content) => {
    const cwd = scratchRepository();
    mkdirSync(join(cwd, ".ralph"), { mode: 0o755 });
    writeFileSync(join(cwd, ".ralph/.gitignore"), `${content}\n`);
    git(cwd, "add", "--all");
    git(cwd, "commit", "--quiet", "--allow-empty", "--message", "x");
    await runRalph(["task", "init", "A secret plan"], { cwd });
    git(cwd, "add", "--all", ".ralph");
    expect(git(cwd, "ls-files", ".ralph")).not.toContain("memory.db");
    expect(statSync(join(cwd, ".ralph")).mode & 0o077).toBe(0);
  });
});

it("an export goes nowhere into git's own folder", async () => {
  const cwd = scratchRepository();
  const storage = "{ memory_path: .git, index_file: config }";
  writeFileSync(join(cwd, "ralph.yml"), `cross_task_learning: { storage: ${storage} }\n`);
  const before = readFileSync(join(cwd, ".git/config"), "utf8");
  const { status, stderr } = await runRalph(["export", "cross-task", "--force"], { cwd });
  expect([status, readFileSync(join(cwd, ".git/config"), "utf8")]).toEqual([1, before]);
  expect(stderr).toContain("belongs to git");
});

it("a home that cannot be made, as below /proc, is told and does not block", async () => {
  const cwd = scratchRepository();
  const { status } = await runRalph(["memory", "add", "A note"], {
    cwd,
    env: { RALPH_HOME: "/proc/nowhere" },
  });
  expect(status).toBe(0);
});
