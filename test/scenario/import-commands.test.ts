import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, fileAppears } from "../support/eventually.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";

const learnings = [
  {
    ...{ id: "learn-abc123", type: "strategy", taskType: "test-fix", confidence: 0.9, successRate: 0.9 },
    content: { description: "Freeze the clock before testing expiry" },
    ...{
      sourceLoops: ["ralph-001"],
      createdAt: "2026-02-01T15:00:00Z",
      updatedAt: "2026-02-01T15:00:00Z",
      useCount: 2,
    },
  },
];
const checksum = createHash("sha256").update(JSON.stringify(learnings)).digest("hex");

/** A project in which another tool kept its memory. */
function otherToolsProject(): { cwd: string; ralph: (...args: string[]) => ReturnType<typeof runRalph> } {
  const cwd = scratchRepository();
  const write = (path: string, value: unknown) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), JSON.stringify(value));
  };
  write(".aiwg/knowledge/ralph-learnings.json", { version: "1.0.0", checksum, lastUpdated: "", learnings });
  write(".aiwg/ralph-external/state.json", {
    ...{ loopId: "ralph-001", objective: "Fix the expiry of sessions", status: "completed" },
    iterations: [{ number: 1, status: "completed", learnings: ["Tokens were compared as text"] }],
  });
  const home = scratchFolder();
  return { cwd, ralph: (...args) => runRalph(args, { cwd, env: { HOME: home } }) };
}

describe("ralph import", () => {
  it("finds what another tool kept, and after its import recall tells it at once", async () => {
    const { cwd, ralph } = otherToolsProject();
    const folder = join(cwd, ".aiwg");
    const found = await ralph("import");
    expect(found.stdout).toMatch(/aiwg +1 task, 1 learning/);
    expect(found.stdout).toContain(`ralph import aiwg ${folder}\n`);
    expect(existsSync(join(cwd, ".ralph"))).toBe(false);
    expect((await ralph("import", "aiwg", "--dry-run")).stdout).toContain("Would import 3 records");
    expect(existsSync(join(cwd, ".ralph"))).toBe(false);
    expect(JSON.parse((await ralph("import", "aiwg", "--json")).stdout)).toMatchObject({
      layout: "aiwg",
      imports: [{ path: folder, counts: { learning: { added: 1 }, task: { added: 1 } }, skipped: [] }],
    });
    expect((await ralph("import", "aiwg")).stdout).toContain(`Nothing new from ${folder}`);
    const { stdout } = await ralph("recall", "session expiry test is flaky");
    expect(stdout).toContain("Freeze the clock");
    expect(stdout).toContain("Tokens were compared as text");
  });

  it("refuses what was edited behind its checksum in one line, and an unknown layout by the known ones", async () => {
    const { cwd, ralph } = otherToolsProject();
    const path = join(cwd, ".aiwg/knowledge/ralph-learnings.json");
    writeFileSync(path, readFileSync(path, "utf8").replace("Freeze", "Thaw"));
    const refused = await ralph("import", "aiwg");
    expect(refused).toMatchObject({ status: 1, stdout: "" });
    expect(refused.stderr).toMatch(
      /^Error: .*ralph-learnings\.json does not match its checksum.*--force.*\n$/,
    );
    for (const place of [[], [".aiwg"]])
      expect(await ralph("import", "aiwgg", ...place)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('"aiwg"'),
      });
    expect(await ralph("import", "aiwg", "--only", "loop")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('"loops"'),
    });
  });
});

describe("ralph export", () => {
  it("refuses a file where a folder should be, also to keep in step", async () => {
    const { cwd, ralph } = otherToolsProject();
    writeFileSync(join(cwd, "notes.txt"), "");
    for (const more of [[], ["--watch"]])
      expect(await ralph("export", "aiwg", "notes.txt", ...more)).toMatchObject({
        status: 2,
        stderr: "Error: Not a folder: notes.txt (such as .aiwg)\n",
      });
  });

  it("keeps a folder in step until it is interrupted", async () => {
    const { cwd, ralph } = otherToolsProject();
    const watching = spawn(process.execPath, [ralphProgram, "export", "aiwg", ".aiwg", "--watch"], {
      cwd,
      env: ralphEnvironment(cwd),
      stdio: ["ignore", "pipe", "ignore"],
    });
    let printed = "";
    watching.stdout.on("data", (chunk) => {
      printed += chunk;
    });
    const ended = new Promise((resolve) => watching.on("close", resolve));
    await eventually(() => printed.includes("Exported"));
    await ralph("task", "init", "Rotate the signing keys");
    await ralph("task", "start", "task-002");
    await ralph("task", "complete", "task-002", "--outcome", "success");
    const index = join(cwd, ".aiwg/ralph/memory/task-index.json");
    await fileAppears(index);
    await eventually(() => readFileSync(index, "utf8").includes("Rotate the signing keys"));
    expect(JSON.parse(readFileSync(join(cwd, ".aiwg/knowledge/ralph-learnings.json"), "utf8"))).toMatchObject(
      { learnings },
    );
    watching.kill("SIGINT");
    expect(await ended).toBe(0);
    expect(await ralph("export", "aiwg", ".aiwg")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("--force"),
    });
  });
});
