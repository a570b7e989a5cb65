import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { put, scratchFolder, scratchRepository } from "../support/scratch.js";
import { templateProject } from "../support/template-project.js";

let cwd: string;
const ralph = (args: string[], input: string | Buffer = "") => runRalph(args, { cwd, input });
const out = async (...args: string[]) => (await ralph(args)).stdout;
const err = async (...args: string[]) => (await ralph(args)).stderr;
const json = async (args: string[], input = "") =>
  JSON.parse((await ralph([...args, "--json"], input)).stdout);

/** One task with one failed attempt of three actions. */
const projectWithTask = templateProject(async (folder) => {
  cwd = folder;
  await ralph(["task", "init", "Fix the discount rounding", "--tag", "cart"]);
  await ralph(["task", "start", "task-001"]);
  const log = [
    { tool: "Edit", type: "edit", params: { file_path: "src/total.js" }, reasoning: "round at the end" },
    { tool: "Bash", params: { command: "echo once >> ran.txt" } },
    {
      tool: "Bash",
      params: { command: "exit 3" },
      success: false,
      output: "main.c:3:5: error: expected ';'",
    },
  ];
  const lines = log.map((entry, index) =>
    JSON.stringify({ ...entry, timestamp: `2026-01-01T00:00:0${index}Z` }),
  );
  await ralph(["task", "log", "task-001"], lines.join("\n"));
  await ralph(["task", "complete", "task-001", "--outcome", "failure"]);
});

beforeEach(async () => {
  cwd = await projectWithTask();
});

describe("ralph replay", () => {
  it("steps through the actions and runs none of them", async () => {
    const { stdout, status } = await ralph(["replay", "task-001"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^1\. .* Edit {2}src\/total\.js {2}ok/m);
    expect(stdout).toContain("why: round at the end");
    expect(stdout).toMatch(/^3\. .* exit 3 {2}FAILED/m);
    const { steps } = await json(["replay", "task-001", "--attempt", "1", "--from", "2"]);
    expect(steps).toMatchObject([{ step: 2, took_seconds: 1 }, { step: 3 }]);
    await ralph(["task", "start", "task-001"]);
    await ralph(
      ["task", "log", "task-001"],
      '{"tool":"Bash","params":{"command":"echo \\u001b[2J\\n9. true"}}\n{"tool":"Read","params":{"command":"rm x"}}\n',
    );
    expect(await out("replay", "task-001", "--dry-run")).toBe("1. echo \u{fffd}[2J ⏎ 9. true\n");
    expect(await out("replay", "task-001", "--attempt", "1", "--dry-run")).toBe(
      "2. echo once >> ran.txt\n3. exit 3\n",
    );
    expect(existsSync(join(cwd, "ran.txt"))).toBe(false);
  });

  it("runs the commands again only when told to, after listing them", async () => {
    const unasked = await ralph(["replay", "task-001", "--execute"]);
    expect([unasked.status, unasked.stderr]).toEqual([2, expect.stringContaining("--yes")]);
    expect(unasked.stdout).toContain("2. echo once >> ran.txt");
    expect(existsSync(join(cwd, "ran.txt"))).toBe(false);
    const { status, stderr } = await ralph(["replay", "task-001", "--execute", "--yes"]);
    expect(status).toBe(0);
    expect(stderr).toContain("exit code 3; in the attempt it failed");
    expect(readFileSync(join(cwd, "ran.txt"), "utf8")).toBe("once\n");
  });

  it("runs them in the project's folder, wherever it is started", async () => {
    const elsewhere = scratchFolder();
    const options = ["--execute", "--yes", "--root", cwd];
    await runRalph(["replay", "task-001", ...options], {
      cwd: elsewhere,
      env: { RALPH_HOME: join(cwd, ".home") },
    });
    expect(existsSync(join(elsewhere, "ran.txt"))).toBe(false);
    expect(readFileSync(join(cwd, "ran.txt"), "utf8")).toBe("once\n");
  });

  it.each([
    [["replay", "task-001", "--attempt", "2"], 1, /has no attempt 2 \(it has 1 attempt\)/],
    [["replay", "task-001", "--from", "9"], 2, /has no step 9 \(it has 3 steps\)/],
    [["replay", "task-001", "--speed", "fast"], 2, /--speed takes a number greater than 0/],
    [["replay", "task-009"], 1, /Task not found: task-009/],
  ])("refuses %j", async (args, status, message) => {
    const result = await ralph(args);
    expect([result.status, result.stderr]).toEqual([status, expect.stringMatching(message)]);
  });

  it("pauses as in the attempt, so many times as fast", async () => {
    const args = [ralphProgram, "replay", "task-001", "--speed", "0.001"];
    const child = spawn(process.execPath, args, { cwd, env: ralphEnvironment(cwd) });
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk;
    });
    await eventually(() => /^1\. /m.test(stdout));
    child.kill("SIGKILL");
    await once(child, "close");
    expect(stdout).not.toMatch(/^2\. /m);
    expect(await out("replay", "task-001", "--speed", "1000")).toMatch(/^3\. /m);
  });
});

describe("ralph search", () => {
  it("finds tasks by a plain question, and says where it matched", async () => {
    expect(await json(["search", "why did the rounding of discounts fail"])).toMatchObject([
      { id: "task-001", score: expect.any(Number), excerpt: { from: "description" } },
    ]);
    expect(await out("search", "expected ';' in main.c")).toMatch(/task-001 .*main\.c:3/);
    expect(await json(["search", "kubernetes"])).toEqual([]);
    expect(await err("search", "kubernetes")).toBe("No matching tasks\n");
  });
});

describe("ralph history", () => {
  it("writes a task as Markdown or JSON, by the name of the file, and nothing over what is there", async () => {
    expect((await ralph(["history", "task-001", "--export", "t.md"])).status).toBe(0);
    const markdown = readFileSync(join(cwd, "t.md"), "utf8");
    expect(markdown).toMatch(/^# task-001: Fix the discount rounding$/m);
    expect(markdown).toMatch(/^### Reflection on Attempt 1$/m);
    expect(markdown).toMatch(/^\| 3 \| Bash \| exit 3 \| failed \|$/m);
    await ralph(["history", "--export", "all.json"]);
    expect(JSON.parse(readFileSync(join(cwd, "all.json"), "utf8"))).toMatchObject([{ id: "task-001" }]);
    writeFileSync(join(cwd, "t.md"), "mine");
    const refused = await ralph(["history", "task-001", "--export", "t.md"]);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining("--force")]);
    expect(readFileSync(join(cwd, "t.md"), "utf8")).toBe("mine");
    expect(await err("history", "task-001", "--export", "t.txt")).toMatch(/\.md or \.json/);
  });

  it("writes only the attempt, or only the reflections, that were asked for", async () => {
    await ralph(["task", "start", "task-001"]);
    await ralph(["task", "complete", "task-001", "--outcome", "success", "--reflection", "Round at the end"]);
    const exported = async (file: string, ...args: string[]) => {
      const { status } = await ralph(["history", "task-001", ...args, "--export", file]);
      expect(status).toBe(0);
      return readFileSync(join(cwd, file), "utf8");
    };
    const second = JSON.parse(await exported("second.json", "--attempt", "2"));
    expect(second).toEqual(await json(["history", "task-001", "--attempt", "2"]));
    const markdown = await exported("second.md", "--attempt", "2");
    expect(markdown).toMatch(/^## Attempt 2: success$/m);
    expect(markdown).not.toContain("## Attempt 1");
    const reflections = JSON.parse(await exported("reflections.json", "--reflections", "--attempt", "2"));
    expect(reflections).toMatchObject([
      { attempt_id: 2, observation: "Round at the end" },
      { attempt_id: 2, triggered_by: "success" },
    ]);
    expect(await exported("reflections.md", "--reflections")).toMatch(
      /^## Reflection on Attempt 1$[\s\S]*^## Reflection on Attempt 2$/m,
    );
    expect(await exported("all.md", "--reflections")).not.toContain("## Attempt");
  });

  it.each([
    [["--attempt", "2"], /--attempt needs a task \(such as "ralph history task-001 --attempt 2"/],
    [["--reflections", "--export", "r.md"], /--reflections needs a task/],
    [["task-001", "--status", "failed"], /--status selects among tasks; it cannot be used with task-001/],
    [["task-001", "--reflections", "--attempt", "4"], /has no attempt 4/],
  ])("refuses options that would be ignored: %j", async (args, message) => {
    const { stderr, stdout } = await ralph(["history", ...args]);
    expect([stdout, stderr]).toEqual(["", expect.stringMatching(message)]);
    expect(existsSync(join(cwd, "r.md"))).toBe(false);
  });

  it("shows how good and how complete each attempt was", async () => {
    await ralph(["task", "start", "task-001"]);
    await ralph(
      ["task", "log", "task-001"],
      '{"iteration":1,"quality":0.4}\n{"iteration":2,"quality":0.6}\n',
    );
    await ralph([
      "task",
      "complete",
      "task-001",
      "--outcome",
      "failure",
      "--quality",
      "0.5",
      "--percent",
      "60",
    ]);
    await ralph(["task", "start", "task-001"]);
    await ralph(["task", "complete", "task-001", "--outcome", "success", "--quality", "0.9"]);
    const shown = await out("history", "task-001");
    expect(shown).toMatch(/2 iterations, 0 actions, quality 0\.40 → 0\.60 → 0\.50, 60 % done/);
    expect(shown).toMatch(/0 actions, quality 0\.90, 100 % done/);
    expect((await json(["history", "task-001", "--attempt", "2"])).execution.quality_history).toEqual([
      { iteration: 1, quality: 0.4, delta: 0.4 },
      { iteration: 2, quality: 0.6, delta: 0.2 },
    ]);
    expect((await json(["history", "task-001", "--attempt", "3"])).outcome).toMatchObject({
      final_quality: 0.9,
      completion_percent: 100,
    });
  });

  it("archives what is old and shows it again when asked", async () => {
    expect(await json(["history", "archive", "--dry-run"])).toEqual({
      summarised: [],
      archived: [],
      kept: [],
    });
    expect((await ralph(["history", "archive"])).status).toBe(0);
    expect(await json(["history", "--archived"])).toHaveLength(1);
    expect(await out("history", "--help")).toContain("ralph history archive");
    expect(await err("history", "--until", "2025-01-01")).toBe("No tasks to show\n");
  });
});

describe("ralph export and import", () => {
  it("carry all tasks to another project", async () => {
    expect(await out("export", "episodic", "tree")).toMatch(/^Exported 1 task to /);
    const [before] = await json(["history", "--archived"]);
    const tree = join(cwd, "tree");
    cwd = scratchRepository();
    writeFileSync(join(tree, "tasks/notes.md"), "");
    expect(await ralph(["import", "episodic", tree])).toMatchObject({
      stdout: expect.stringContaining(`Imported 1 record from ${tree}\n`),
      stderr: "Not imported: tasks/notes.md: not part of the layout\n",
    });
    expect(await json(["history"])).toEqual([before]);
    expect(await out("import", "episodic", tree)).toContain(`Nothing new from ${tree}\n`);
    writeFileSync(join(tree, "tasks/task-001/metadata.json"), "{");
    cwd = scratchRepository();
    const refused = await ralph(["import", "episodic", tree]);
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/metadata\.json is cut: its JSON ends too early/),
    ]);
    expect(existsSync(join(cwd, ".ralph"))).toBe(false);
  });
});

describe("ralph task", () => {
  it("rates a reflection", async () => {
    expect(await json(["task", "rate", "task-001", "helpful"])).toMatchObject({ effectiveness: "helpful" });
    expect(await err("task", "rate", "task-001", "helpfull")).toMatch(/did you mean "helpful"/);
  });

  it("says that a reflection is older than any attempt, and that there is none yet", async () => {
    await ralph(["task", "init", "Translate the mails"]);
    const { stdout } = await ralph(["task", "reflect", "task-002", "The mails come from a template"]);
    expect(stdout).toMatch(/^## Reflection before any attempt\n/);
    expect(await out("history", "task-002")).toMatch(
      /\n\nBefore any attempt\n {2}process-improvement: The mails come from a template\n$/,
    );
    await ralph(["history", "task-002", "--export", "mails.md"]);
    expect(readFileSync(join(cwd, "mails.md"), "utf8")).toContain("## Reflection before any attempt\n");
    expect(await out("task", "rate", "task-002", "helpful")).toBe(
      "Rated the reflection before any attempt of task-002 as helpful\n",
    );
    expect(await err("replay", "task-002")).toBe(
      'Error: task-002 has no attempts yet ("ralph task start task-002" begins one)\n',
    );
    const { stdout: plan } = await ralph(["task", "start", "task-002"]);
    expect(plan).toContain("- Before any attempt: The mails come from a template\n");
  });

  it("goes on while the shell that started it has ended, as agents make one for each command", async () => {
    const shell = (command: string) =>
      new Promise((ended) => {
        const child = spawn("bash", ["-c", `${command}; true`], {
          cwd,
          env: ralphEnvironment(cwd),
          stdio: "ignore",
        });
        child.on("close", ended);
      });
    await shell(`"${process.execPath}" "${ralphProgram}" task start task-001`);
    await ralph(["doctor"]);
    expect((await ralph(["task", "log", "task-001"], '{"tool":"A"}\n')).stdout).toBe("Logged 1\n");
    expect(await err("task", "start", "task-001")).toMatch(/is still running/);
  });

  it("takes a log of 3 MB and binary output, and keeps beginning and end", async () => {
    await ralph(["task", "start", "task-001"]);
    const big = Buffer.from(
      `{"tool":"Bash","output":"begin ${"x".repeat(3 * 1024 * 1024)} end"}\n{"tool":"Bash","output":"a\\u0000b"}\n`,
    );
    const broken = Buffer.from([
      0x7b, 0x22, 0x74, 0x6f, 0x6f, 0x6c, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d, 0x0a,
    ]);
    const { stdout } = await ralph(["task", "log", "task-001"], Buffer.concat([big, broken]));
    expect(stdout).toBe("Logged 3\n");
    const { actions } = await json(["history", "task-001", "--attempt", "2"]);
    expect(actions[0].output).toMatch(/^begin x/);
    expect(actions[0].output).toMatch(/ end$/);
    expect(actions[0].output.length).toBeLessThan(65 * 1024);
    expect(actions[1].output).toBe("[binary output, 3 bytes]");
    writeFileSync(join(cwd, "out.bin"), Buffer.alloc(1024 * 1024, 0));
    const done = await ralph(["task", "complete", "task-001", "--outcome", "failure", "--output", "out.bin"]);
    expect(done.status).toBe(0);
  });

  it("whose runner was killed is marked as interrupted by doctor, with what is known", async () => {
    const script = `"${process.execPath}" "${ralphProgram}" task start task-001 && "${process.execPath}" "${ralphProgram}" task log task-001 < log.jsonl && exec sleep 60`;
    put(
      cwd,
      "log.jsonl",
      '{"tool":"Bash","params":{"command":"make"},"success":false,"output":"main.c:9:1: error: stray"}\n',
    );
    writeFileSync(join(cwd, "runner.sh"), script);
    const runner = spawn("sh", ["runner.sh"], { cwd, env: ralphEnvironment(cwd), stdio: "ignore" });
    await expect
      .poll(async () => (await json(["history", "task-001"])).attempts[1]?.actions.length, {
        timeout: 10_000,
      })
      .toBe(1);
    expect((await json(["doctor"])).find(({ part }: { part: string }) => part === "tasks")).toMatchObject({
      status: "ok",
    });
    runner.kill("SIGKILL");
    await new Promise((ended) => runner.on("close", ended));
    expect((await json(["doctor"])).find(({ part }: { part: string }) => part === "tasks")).toMatchObject({
      status: "repaired",
      detail: expect.stringContaining("task-001"),
    });
    const { status, attempts, reflections } = await json(["history", "task-001"]);
    expect(status).toBe("paused");
    expect(attempts[1].outcome).toMatchObject({ status: "failure", reason: "interrupted" });
    expect(reflections.at(-1).observation).toMatch(/\(interrupted\): main\.c:9/);
  });
});
