import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";
import { templateProject } from "../support/template-project.js";

let cwd: string;
const ralph = (args: string[], input = "") => runRalph(args, { cwd, input });
const json = async (args: string[], input = "") =>
  JSON.parse((await ralph([...args, "--json"], input)).stdout);

const projectWithTask = templateProject((folder) => runRalph(["task", "init", "x"], { cwd: folder }));

beforeEach(() => {
  cwd = scratchRepository();
});

it("an attempt that was started under a program such as timeout is not taken for abandoned", async () => {
  const cwd = scratchRepository();
  await runRalph(["task", "init", "Fix it"], { cwd });
  execFileSync("timeout", ["60", process.execPath, ralphProgram, "task", "start", "task-001"], {
    cwd,
    env: ralphEnvironment(cwd),
  });
  expect((await runRalph(["doctor"], { cwd })).stdout).toContain("no interrupted attempts");
  const action = '{"tool":"Bash","params":{"command":"x"},"success":true}';
  expect((await runRalph(["task", "log", "task-001"], { cwd, input: action })).status).toBe(0);
});

describe("ralph task", () => {
  it("keeps the record of a task for any runner", async () => {
    expect(
      await json(["task", "init", "Fix it", "--criteria", "tests pass", "--tag", "a", "--tag", "b"]),
    ).toEqual({ task_id: "task-001" });
    expect(await json(["task", "start", "task-001"])).toMatchObject({
      task_id: "task-001",
      attempt_id: 1,
      reflections: [],
    });
    const log = ['{"tool":"Bash","params":{"command":"make"},"success":false}', "", '{"event":"built"}'].join(
      "\n",
    );
    expect(await json(["task", "log", "task-001", "-"], log)).toEqual({ logged: 2, duplicates: 0 });
    writeFileSync(join(cwd, "out.txt"), "main.c:3:5: error: expected ';'\n");
    const { attempt, reflection } = await json([
      "task",
      "complete",
      "task-001",
      "--outcome",
      "failure",
      "--output",
      "out.txt",
      "--quality",
      "0.5",
    ]);
    expect(attempt.outcome).toMatchObject({ status: "failure", final_quality: 0.5 });
    expect(reflection.observation).toBe("1 failure: main.c:3: expected ';'");
    expect((await json(["task", "start", "task-001"])).reflections).toHaveLength(1);
    expect(await json(["history"])).toMatchObject([{ id: "task-001", tags: ["a", "b"], total_attempts: 2 }]);
    expect((await json(["history", "task-001", "--attempt", "1"])).actions).toHaveLength(1);
    expect(await json(["history", "task-001", "--reflections"])).toHaveLength(1);
    expect((await ralph(["history", "task-001"])).stdout).toMatch(/Attempt 1 {2}failure/);
  });

  it("takes the approach and the output of a check from standard input, too", async () => {
    await ralph(["task", "init", "Fix it"]);
    const { plan } = await json(["task", "start", "task-001", "--plan", "-"], "Mock the clock\n");
    expect(plan.approach).toBe("Mock the clock");
    const output = "src/auth.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.\n";
    const complete = ["task", "complete", "task-001", "--outcome", "failure", "--output", "-"];
    expect((await json(complete, output)).reflection.observation).toContain("TS2322");
    expect((await ralph(["task", "start", "task-001", "--plan", "missing.md"])).stderr).toBe(
      "Error: File not found: missing.md (check the path)\n",
    );
  });

  it("takes the estimated iterations of a plan", async () => {
    await ralph(["task", "init", "x"]);
    const { plan, plan_text: text } = await json(["task", "start", "task-001", "--estimate", "3"]);
    expect(plan.estimated_iterations).toBe(3);
    expect(text).toContain("## Estimate\n\n3 iterations\n");
    expect((await json(["history", "task-001", "--attempt", "1"])).plan.estimated_iterations).toBe(3);
  });

  it.each([
    [
      '{"tool":"A","success":"true"}',
      /^Error: Line 2: .*has a success that is neither true nor false: "true"/,
    ],
    ['{"tool":"A","type":"shell"}', /^Error: Line 2: .*has an unknown type: shell \(known are read, write/],
    ['{"tool":"A","event":"built"}', /^Error: Line 2: .*has both "event" and "tool"/],
  ])("stores nothing else than what was meant: %s is refused with its line", async (line, message) => {
    await ralph(["task", "init", "x"]);
    await ralph(["task", "start", "task-001"]);
    const log = `{"tool":"A","success":null,"error":null}\n${line}\n`;
    const { status, stdout, stderr } = await ralph(["task", "log", "task-001"], log);
    expect([status, stdout, stderr]).toEqual([2, "Logged 1\n", expect.stringMatching(message)]);
    expect((await json(["history", "task-001"])).attempts[0].actions).toMatchObject([{ success: true }]);
  });

  it("shows what the completed task as a whole taught", async () => {
    await ralph(["task", "init", "x"]);
    await ralph(["task", "start", "task-001", "--estimate", "2"]);
    await ralph(["task", "complete", "task-001", "--outcome", "timeout"]);
    await ralph(["task", "start", "task-001"]);
    const { stdout } = await ralph(["task", "complete", "task-001", "--outcome", "success"]);
    expect(stdout).toMatch(/^\*\*Observation\*\*: task-001 took 2 attempts/m);
    expect(stdout).not.toContain("Nothing to reflect on");
  });

  it("says so when there is nothing to reflect on", async () => {
    await ralph(["task", "init", "x"]);
    await ralph(["task", "start", "task-001"]);
    expect((await ralph(["task", "complete", "task-001", "--outcome", "timeout"])).stdout).toBe(
      "Attempt 1 of task-001: timeout. Nothing to reflect on.\n",
    );
  });

  it("keeps the good lines before a malformed one, or none with --atomic, and names the line", async () => {
    await ralph(["task", "init", "x"]);
    await ralph(["task", "start", "task-001"]);
    const log = '{"tool":"A"}\n{"tool":"B"}\n{broken\n{"tool":"C"}\n';
    const atomic = await ralph(["task", "log", "task-001", "--atomic"], log);
    expect([atomic.status, atomic.stderr]).toEqual([
      2,
      expect.stringMatching(/^Error: Line 3: not valid JSON/),
    ]);
    expect((await json(["history", "task-001"])).attempts[0].actions).toEqual([]);
    const partly = await ralph(["task", "log", "task-001"], log);
    expect([partly.status, partly.stdout]).toEqual([2, "Logged 2\n"]);
    expect((await json(["history", "task-001"])).attempts[0].actions).toHaveLength(2);
  });

  it.each<[string[], number, RegExp]>([
    [["task", "init", ""], 2, /A task needs a description/],
    [["task", "start", "task-009"], 1, /Task not found: task-009 \(known: task-001\)/],
    [["task", "complete", "task-001"], 2, /--outcome is missing/],
    [["task", "complete", "task-001", "--outcome", "sucess"], 2, /did you mean "success"/],
    [
      ["task", "complete", "task-001", "--outcome", "success", "--quality", "7"],
      2,
      /--quality takes a number from 0 to 1/,
    ],
    [["task", "complete", "task-001", "--outcome", "success"], 2, /has no attempt yet/],
    [["task", "pause", "task-002"], 1, /Task not found/],
    [["task", "continue", "task-001"], 2, /is running, not paused/],
    [["history", "task-001", "--attempt", "4"], 1, /has no attempt 4/],
    [["history", "--since", "yesterday"], 2, /--since takes a duration or a date/],
    [["history", "--status", "done"], 2, /Unknown status: done/],
  ])("refuses %j", async (args, status, message) => {
    cwd = await projectWithTask();
    const result = await ralph(args);
    expect([result.status, result.stdout]).toEqual([status, ""]);
    expect(result.stderr).toMatch(message);
    expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("loses no acknowledged action when four processes log and one is killed, whose attempt can be taken up again", async () => {
    const library = join(ralphProgram, "../../library/index.js");
    for (let task = 1; task <= 4; task += 1) await ralph(["task", "init", `task ${task}`]);
    const script = (id: string) => `
      import { writeSync } from "node:fs";
      import { openMemory } from ${JSON.stringify(library)};
      import { hostname } from "node:os";
      const memory = await openMemory();
      await memory.tasks.start("${id}", { runner: { pid: process.pid, host: hostname() } });
      for (let index = 0; index < 300; index += 1) {
        await memory.tasks.log("${id}", [{ tool: "Bash", params: { index } }]);
        writeSync(1, ".");
      }
      await memory.tasks.complete("${id}", { outcome: "success" });
      await memory.close();`;
    const counts = await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", script(`task-00${number}`)], {
          cwd,
          env: ralphEnvironment(cwd),
        });
        let acknowledged = 0;
        child.stdout.on("data", (chunk: Buffer) => {
          acknowledged += chunk.length;
          if (number === 4 && acknowledged > 100) child.kill("SIGKILL");
        });
        await new Promise((done) => child.on("close", done));
        return acknowledged;
      }),
    );
    expect(counts.slice(0, 3)).toEqual([300, 300, 300]);
    for (const [index, acknowledged] of counts.entries()) {
      const { attempts } = await json(["history", `task-00${index + 1}`]);
      expect(attempts[0].actions.length).toBeGreaterThanOrEqual(acknowledged);
    }
    expect(await json(["task", "start", "task-004"])).toMatchObject({ attempt_id: 2, reflections: [] });
  });
});
