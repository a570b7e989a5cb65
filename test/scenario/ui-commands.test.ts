import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

/** `ralph ui` until it has told its address. */
async function startUi(cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [ralphProgram, "ui", "--json", ...args], {
    cwd,
    env: ralphEnvironment(cwd),
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  await eventually(
    () => stdout.includes("\n"),
    () => stderr,
  );
  return { child, ended, stdout: () => stdout, stderr: () => stderr };
}

describe("ralph ui", () => {
  it("tells its address in one line of JSON, serves the page on 127.0.0.1, and ends with Ctrl-C", async () => {
    const cwd = scratchRepository();
    const { child, ended, stdout } = await startUi(cwd);
    expect(stdout().trim().split("\n")).toHaveLength(1);
    const { address } = JSON.parse(stdout()) as { address: string };
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{43}$/);
    const visited = await fetch(address);
    expect(visited.status).toBe(200);
    expect(await visited.text()).toContain("/app.js");
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    await expect(fetch(address)).rejects.toThrow();
    expect(existsSync(join(cwd, ".ralph"))).toBe(false);
  });

  it("ends by itself with --idle, and warns of another interface", async () => {
    const { ended, stderr } = await startUi(scratchRepository(), "--idle", "1s", "--host", "127.0.0.1");
    expect(await ended).toBe(0);
    expect(stderr()).toContain("Warning: 127.0.0.1 is reachable from other machines");
    expect(stderr()).toContain("Stopped: the page was not used for 1s");
  });

  it("refuses a port, a time and an interface that make no sense", async () => {
    const cwd = scratchRepository();
    for (const [args, message] of [
      [["--port", "70000"], "--port takes a number up to 65535"],
      [["--idle", "soon"], "--idle must be a duration"],
      [["--host", "192.0.2.1"], "192.0.2.1 is no address of this machine"],
    ] as const) {
      const { status, stderr } = await runRalph(["ui", "--no-open", ...args], { cwd });
      expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});

describe("ralph report", () => {
  it("writes one file, named after the task, and tells where", async () => {
    const cwd = scratchRepository();
    const ralph = (...args: string[]) => runRalph(args, { cwd });
    await ralph("task", "init", "Fix the cart total");
    const { stdout } = await ralph("report", "task-001");
    const path = join(cwd, "ralph-report-task-001.html");
    expect(stdout.trim()).toBe(path);
    expect(readFileSync(path, "utf8")).toContain("Fix the cart total");
    expect((await ralph("report", "--out", "-")).stdout).toContain("<!doctype html>");
    expect(existsSync(join(cwd, "ralph-report.html"))).toBe(false);
    const missing = await ralph("report", "task-009");
    expect([missing.status, missing.stderr]).toEqual([1, expect.stringContaining("task-009")]);
  });
});
