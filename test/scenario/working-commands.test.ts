import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { type RalphResult, ralphLibrary, runNode, runRalph } from "../support/run-ralph.js";
import { git, scratchFolder, scratchRepository } from "../support/scratch.js";

let cwd: string;
const ralph = (args: string[], env: Record<string, string> = {}, input = "") =>
  runRalph(args, { cwd, env, input });
const json = async (args: string[], input = "") =>
  JSON.parse((await ralph([...args, "--json"], {}, input)).stdout);
const file = () => join(cwd, ".agent", "CONTINUITY.md");

beforeEach(() => {
  cwd = scratchRepository();
  writeFileSync(join(cwd, ".git/info/exclude"), ".home\n");
});

describe("from one agent to the next", () => {
  it("a task goes by a handoff to the agent that tests it, whose next attempt begins with it", async () => {
    git(cwd, "commit", "--quiet", "--allow-empty", "-m", "first");
    const commit = git(cwd, "rev-parse", "HEAD").trim();
    await ralph(["task", "init", "Implement POST /api/todos endpoint", "--agent", "eng-001-backend"]);
    await ralph(["task", "start", "task-001"]);
    await ralph(
      ["task", "log", "task-001"],
      {},
      '{"tool":"Edit","params":{"file_path":"src/routes/todos.ts"},"success":true}\n',
    );
    const checkpoint = ["ledger", "checkpoint", "eng-001-backend", "--goal", "Implement CRUD for todos"];
    expect(
      await json([...checkpoint, "--tech", "express,typescript,sqlite", "--pattern", "sem-001"]),
    ).toEqual({
      agent_id: "eng-001-backend",
      last_checkpoint: expect.stringMatching(/^20\d\d-/),
      tasks_completed: 0,
      current_task: "task-001",
      state: { files_modified: ["src/routes/todos.ts"], uncommitted_changes: false, last_git_commit: commit },
      context: {
        tech_stack: ["express", "typescript", "sqlite"],
        patterns_learned: ["sem-001"],
        current_goal: "Implement CRUD for todos",
      },
    });
    await ralph(["task", "complete", "task-001", "--outcome", "success", "--commit", commit]);
    expect((await ralph(["ledger", "show", "eng-001-backend"])).stdout).toMatch(
      /^Stale: +task-001 has ended/m,
    );

    const create = ["handoff", "create", "--from", "eng-001-backend", "--to", "qa-001-testing"];
    const said = ["--done", "Implemented POST /api/todos endpoint", "--pattern", "sem-001"];
    const tests = [
      "--needs-testing",
      "unit tests for validation, and limits",
      "--needs-testing",
      "contract tests",
    ];
    const created = await ralph([...create, ...said, ...tests, "--json"]);
    expect(created.stderr).toBe(
      "Note: qa-001-testing has not worked here yet; handoff-001 stays pending until accepted\n",
    );
    const handoff = JSON.parse(created.stdout);
    expect(handoff).toMatchObject({
      id: "handoff-001",
      from_agent: "eng-001-backend",
      to_agent: "qa-001-testing",
      task_id: "task-001",
      context: {
        what_was_done: expect.stringMatching(/^Implemented POST \/api\/todos endpoint\n/),
        artifacts: ["src/routes/todos.ts"],
        git_state: `commit ${commit.slice(0, 12)}`,
        needs_testing: ["unit tests for validation, and limits", "contract tests"],
        known_issues: [],
      },
    });
    expect(handoff.context.relevant_patterns[0]).toBe("sem-001");
    expect(await json(["handoff", "list", "--to", "qa-001-testing", "--pending"])).toEqual([handoff]);
    expect((await ralph(["handoff", "show", "handoff-001"])).stdout).toMatch(
      /^# handoff-001: eng-001-backend → qa-001-testing\n/,
    );

    expect(await json(["handoff", "accept", "handoff-001"])).toMatchObject({ accepted_by: "qa-001-testing" });
    const again = await ralph(["handoff", "accept", "handoff-001"]);
    expect([again.status, again.stderr]).toEqual([
      1,
      expect.stringMatching(/^Error: handoff-001 was already accepted at 20\d\d-.* by qa-001-testing/),
    ]);
    await ralph(["task", "init", "Test the todos endpoint", "--agent", "qa-001-testing"]);
    const { stdout } = await ralph(["task", "start", "task-002"]);
    expect(stdout).toMatch(
      /^<ralph-memory-\d{9}>\nhandoff-001: eng-001-backend hands over to qa-001-testing\.\n/,
    );
    expect(stdout).toMatch(
      /- contract tests\n[\s\S]*<\/ralph-memory-\d{9}>\n\n# Plan for attempt 1 of task-002\n/,
    );
    await ralph(["continuity", "update"]);
    expect((await ralph(["continuity", "show"])).stdout).toContain(
      "- [task-002] Test the todos endpoint (running)\n- Attempt 1, by qa-001-testing, since ",
    );
    await ralph(["task", "complete", "task-002", "--outcome", "failure"]);
    const { stdout: second } = await ralph(["task", "start", "task-002"]);
    expect(second).toContain("# Plan for attempt 2 of task-002\n");
    expect(second).not.toContain("handoff-001");
  });
});

describe("a hundred updates at once, and a person who edits between them", () => {
  /** While an update replaces it, the name is free for a moment. */
  function readAgain(): Buffer {
    while (!existsSync(file()));
    try {
      return readFileSync(file());
    } catch {
      return readAgain();
    }
  }

  /** Every other time as editors save: what they read, and the change, under another name that then takes the file's. */
  function save(number: number, line: string): void {
    if (number % 2 === 0) appendFileSync(file(), line);
    else {
      writeFileSync(`${file()}.swp`, Buffer.concat([readAgain(), Buffer.from(line)]));
      renameSync(`${file()}.swp`, file());
    }
  }

  /** One process that updates the file again and again through the library. */
  const updateOften = (folder: string, name: string, times: number) =>
    runNode(
      `import { openMemory } from ${JSON.stringify(ralphLibrary)};
      const memory = await openMemory();
      for (let number = 0; number < ${times}; number += 1)
        await memory.working.updateContinuity({ note: ${JSON.stringify(name)} + ", step " + number });
      await memory.close();`,
      folder,
    );

  it("lose no edit and no byte of it", async () => {
    mkdirSync(join(cwd, ".agent"));
    writeFileSync(file(), "\ufeff# Mine\r\n");
    await ralph(["task", "init", "Implement the todos endpoint"]);
    await ralph(["task", "start", "task-001"]);
    let isDone = false;
    const edits: string[] = [];
    const person = (async () => {
      for (let number = 0; number < 20 || !isDone; number += 1) {
        const line = `edit ${number} of mine\r\n`;
        save(number, line);
        edits.push(line);
        await pause(100 + (number % 7) * 40);
      }
    })();
    const commands = async () => {
      const results: RalphResult[] = [];
      for (let number = 0; number < 10; number += 1)
        results.push(await ralph(["continuity", "update", "--note", `command ${number}`]));
      return results;
    };
    const results = await Promise.all([
      ...Array.from({ length: 4 }, (_, index) => updateOften(cwd, `program ${index}`, 20)),
      ...Array.from({ length: 2 }, commands),
    ]);
    isDone = true;
    await person;
    expect(results.flat().filter(({ status, stderr }) => status !== 0 || stderr !== "")).toEqual([]);
    await ralph(["continuity", "update", "--note", "the last"]);
    const text = readFileSync(file(), "utf8");
    const section = /<!-- ralph:begin -->\r\n[\s\S]*?<!-- ralph:end -->\r\n/g;
    expect(text.match(section)).toEqual([expect.stringContaining("- Now: the last\r\n")]);
    // What was merged stands below what was saved meanwhile.
    const lines = text
      .replace(/\r\n<!-- ralph:begin -->\r\n[\s\S]*?<!-- ralph:end -->\r\n/g, "")
      .match(/.*\r\n/g);
    expect(lines?.sort()).toEqual(["\ufeff# Mine\r\n", ...edits].sort());
    expect(readdirSync(join(cwd, ".agent"))).toEqual(["CONTINUITY.md"]);
  });
});

describe("what is wrong gets one line and changes nothing", () => {
  const refused = async (args: string[], status: number, message: RegExp, env = {}) => {
    const before = existsSync(file()) ? readFileSync(file()) : undefined;
    const result = await ralph(args, env);
    expect([result.status, result.stdout]).toEqual([status, ""]);
    expect(result.stderr).toMatch(message);
    expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
    if (before !== undefined) expect(readFileSync(file()).equals(before)).toBe(true);
    expect(existsSync(join(cwd, ".ralph"))).toBe(false);
  };

  it.each<[string[], number, RegExp]>([
    [["continuity", "update", "--task", "task-001"], 1, /Task not found: task-001/],
    [["continuity", "update", "--note", "x".repeat(20_000)], 2, /The note must have at most 16384 bytes/],
    [["ledger", "show"], 1, /No ledgers yet/],
    [["ledger", "show", "eng"], 1, /Agent eng has no ledger/],
    [["ledger", "checkpoint", ""], 2, /Invalid agent name/],
    [["ledger", "checkpoint", "eng", "--task", "nope"], 1, /Task not found: nope/],
    [["handoff", "create", "--to", "b"], 2, /--from is missing/],
    [["handoff", "create", "--from", "a"], 2, /--to is missing/],
    [["handoff", "create", "--from", "a", "--to", "b"], 2, /No recorded task for a \(.*--done/],
    [["handoff", "create", "--from", "a", "--to", "b", "--task", "task-004"], 1, /Task not found: task-004/],
    [["handoff", "show", "handoff-001"], 1, /Handoff not found: handoff-001/],
    [["handoff", "accept", "../handoff-001"], 1, /Handoff not found/],
  ])("%j", async (args, status, message) => {
    await refused(args, status, message);
    expect(readdirSync(cwd).filter((name) => name !== ".home")).toEqual([".git"]);
  });

  it.each([
    ["begin\n", "<!-- ralph:begin -->\n", /line 1: the begin marker has no end marker below it/],
    ["end", "a\n<!-- ralph:end -->\n", /line 2: the end marker has no begin marker above it/],
    [
      "nested",
      "<!-- ralph:begin -->\n<!-- ralph:begin -->\n<!-- ralph:end -->\n<!-- ralph:end -->\n",
      /line 2: the begin marker is inside another section/,
    ],
  ])("markers that are no pair: %s", async (_name, text, message) => {
    mkdirSync(join(cwd, ".agent"));
    writeFileSync(file(), text);
    await refused(["continuity", "update"], 1, message);
    expect((await ralph(["continuity", "show"])).stdout).toBe(text);
  });

  it("a path that leads out, by its words or by a link", async () => {
    for (const path of ["../x.md", "/tmp/x.md", ".agent/scratchpad.md"])
      await refused(["continuity", "update"], 2, /continuity\.path/, { RALPH_CONTINUITY_PATH: path });
    const outside = scratchFolder();
    symlinkSync(outside, join(cwd, ".agent"));
    await refused(["continuity", "update"], 2, /continuity\.path is a link out of the project/);
    expect(readdirSync(outside)).toEqual([]);
    rmSync(join(cwd, ".agent"));
    mkdirSync(file(), { recursive: true });
    const { status, stderr } = await ralph(["continuity", "update"]);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^Error: Expected a file, found a directory/),
    ]);
  });
});
