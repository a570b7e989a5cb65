import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fileAppears } from "../support/eventually.js";
import {
  lackOfPostgres,
  type PostgresServer,
  query,
  startPostgres,
} from "../support/postgres/postgres-server.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { git, scratchFolder, scratchRepository } from "../support/scratch.js";
import { loopRepository } from "../support/scripted-agent.js";

const local = { RALPH_STORE_URL: undefined };
const ralph = (cwd: string, args: string[], env: Record<string, string | undefined> = local, input = "") =>
  runRalph(args, { cwd, input, env });
const json = async (cwd: string, args: string[], env: Record<string, string | undefined> = local) =>
  JSON.parse((await ralph(cwd, [...args, "--json"], env)).stdout);

/** Two clones of one repository have the same memory on a server. */
function clone(): string {
  const folder = scratchRepository();
  git(folder, "remote", "add", "origin", "git@example.com:team/shop.git");
  return folder;
}

async function recordTasks(cwd: string, count: number): Promise<void> {
  for (let at = 1; at <= count; at += 1) {
    await ralph(cwd, ["task", "init", `Repair part ${at} of the postbox`]);
    await ralph(cwd, ["task", "start", `task-00${at}`]);
    const action = { tool: "Bash", params: { command: "npm test" }, success: true };
    await ralph(cwd, ["task", "log", `task-00${at}`, "-"], local, `${JSON.stringify(action)}\n`);
    await ralph(cwd, ["task", "complete", `task-00${at}`, "--outcome", "success"]);
  }
}

describe("export and import of all records", () => {
  it("bring a run that was interrupted, which is resumed only with the user's consent", async () => {
    const wait = "touch seen/begun; while :; do sleep 0.1; done";
    const [one, other] = [loopRepository(wait), loopRepository("echo good > work.txt")];
    const running = one.start(["run", "Make it good", "--verify", "grep -q good work.txt"], {});
    await fileAppears(join(one.cwd, "seen/begun"));
    running.child.kill("SIGKILL");
    await running.ended;
    const file = join(one.cwd, "dump.jsonl");
    await one.ralph(["export", "jsonl", file]);
    expect((await other.ralph(["import", "jsonl", file])).status).toBe(0);
    const untrusted = await other.ralph(["resume", "task-001"], { env: { RALPH_TRUST: "" } });
    expect([untrusted.status, untrusted.stderr]).toEqual([2, expect.stringMatching(/resume task-001/)]);
    expect(other.starts()).toBe(0);
    expect((await other.ralph(["resume", "task-001"], { env: { RALPH_TRUST: "1" } })).status).toBe(0);
  });

  it("go through a file or a pipe, and refuse to overwrite", async () => {
    const [cwd, other] = [clone(), clone()];
    await recordTasks(cwd, 1);
    await ralph(cwd, ["task", "init", "Mend the <system> tag"]);
    const file = join(cwd, "dump.jsonl");
    const exported = await ralph(cwd, ["export", "jsonl", file]);
    expect(exported).toMatchObject({ status: 0, stderr: "" });
    expect(exported.stdout).toMatch(/^Exported \d+ rows to /);
    expect(await ralph(cwd, ["export", "jsonl", file])).toMatchObject({ status: 1 });
    expect(await ralph(cwd, ["export", "jsonl", file, "--force"])).toMatchObject({ status: 0 });
    const piped = await ralph(cwd, ["export", "jsonl", "-"]);
    expect(piped.stdout.split("\n").slice(1)).toEqual(readFileSync(file, "utf8").split("\n").slice(1));
    const header = JSON.parse(piped.stdout.split("\n")[0] ?? "");
    expect(header).toMatchObject({ format: "ralph-dump", version: 1, project: "example.com/team/shop" });
    const imported = await ralph(other, ["import", "jsonl", file]);
    expect(imported).toMatchObject({ status: 0, stderr: "" });
    expect(imported.stdout).toMatch(
      /^Not shown to agents until you allow it .*: 1 record\nAdded: tasks 2, attempts 1, actions 1.*\nImported \d+ rows\n$/,
    );
    expect(await json(other, ["history", "task-001"])).toEqual(await json(cwd, ["history", "task-001"]));
    expect(await ralph(other, ["import", "jsonl", file])).toMatchObject({
      stdout: expect.stringMatching(/^Imported 0 rows, \d+ already existed\n$/),
    });
  });

  it("name the line that is broken, and create nothing", async () => {
    const cwd = clone();
    writeFileSync(
      join(cwd, "bad.jsonl"),
      '{"format":"ralph-dump","version":1,"schema":1,"project":"p","created":"c","highest":{"tasks":0,"handoffs":0}}\n{"table"\n',
    );
    const { status, stderr } = await ralph(cwd, ["import", "jsonl", "bad.jsonl"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/bad\.jsonl, line 2 is not valid JSON/);
    expect(existsSync(join(cwd, ".ralph"))).toBe(false);
  });
});

describe.skipIf(lackOfPostgres() !== undefined)("a team's store", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it("is prepared once, with a role that works with rows and cannot change tables", async () => {
    const cwd = clone();
    const address = await server.makeDatabase();
    const created = await ralph(cwd, ["store", "create", address, "--role", "daily"]);
    expect(created.status).toBe(0);
    expect(created.stdout).toMatch(/^Prepared postgres:.*\nMade the role daily/);
    expect(created.stdout).toMatch(/\nstore: postgres:\/\/daily@/);
    expect(await json(cwd, ["store", "create", address, "--role", "daily"])).toMatchObject({
      state: "present",
      role_state: "present",
    });
    const daily = address.replace("owner@", "daily@");
    const env = { RALPH_STORE_URL: daily };
    expect(await ralph(cwd, ["task", "init", "Repair the postbox"], env)).toMatchObject({ status: 0 });
    expect(await json(cwd, ["task", "list"], env)).toMatchObject([{ description: "Repair the postbox" }]);
    for (const statement of [
      "CREATE TABLE mine (a INTEGER)",
      "DROP TABLE actions",
      "ALTER TABLE tasks ADD COLUMN a INTEGER",
      "UPDATE ralph_schema SET version = 1",
      "TRUNCATE learnings",
    ])
      await expect(query(daily, statement), statement).rejects.toThrow(/permission denied|must be owner/);
  });

  it("never prints a password", async () => {
    const address = (await server.makeDatabase()).replace("owner@", "owner:swordfish@");
    const { status, stdout, stderr } = await ralph(clone(), ["store", "create", address]);
    expect(status).toBe(0);
    expect(stdout + stderr).not.toContain("swordfish");
  });

  it("takes a project's records and gives them back to another clone, compared in the end", async () => {
    const [cwd, other] = [clone(), clone()];
    await recordTasks(cwd, 2);
    const address = await server.makeDatabase();
    await ralph(cwd, ["store", "create", address]);
    const there = await ralph(cwd, ["store", "migrate", ".", address]);
    expect(there).toMatchObject({ status: 0, stderr: "" });
    expect(there.stdout).toMatch(/Compared \d+ rows, table by table: both stores hold the same\n$/);
    const env = { RALPH_STORE_URL: address };
    expect(await json(other, ["history", "task-002"], env)).toEqual(await json(cwd, ["history", "task-002"]));
    const back = await json(other, ["store", "migrate", address, "."]);
    expect(back).toMatchObject({ check: "identical", added: { tasks: 2, attempts: 2, actions: 2 } });
    expect(await json(other, ["history", "task-002"])).toEqual(await json(cwd, ["history", "task-002"]));
    expect(await json(cwd, ["store", "migrate", ".", address])).toMatchObject({
      check: "identical",
      added: {},
    });
  });

  it("refuses to migrate a store to itself, and one that does not exist", async () => {
    const cwd = clone();
    expect(await ralph(cwd, ["store", "migrate", ".", "."])).toMatchObject({ status: 1 });
    await recordTasks(cwd, 1);
    const same = await ralph(cwd, ["store", "migrate", ".", "."]);
    expect(same).toMatchObject({ status: 2 });
    expect(same.stderr).toMatch(/Both stores are/);
    const missing = await ralph(scratchFolder(), ["store", "migrate", ".", await server.makeDatabase()]);
    expect(missing.stderr).toMatch(/There is no memory to migrate|no tables of Ralph/);
  });

  it("has everything once after a migration that was killed again and again", async () => {
    const cwd = clone();
    writeFileSync(join(cwd, "dump.jsonl"), largeDump(12_000));
    expect(await ralph(cwd, ["import", "jsonl", "dump.jsonl"])).toMatchObject({ status: 0 });
    const address = await server.makeDatabase();
    await ralph(cwd, ["store", "create", address]);
    for (const rows of [1, 4_000, 8_000]) await migrateUntil(cwd, address, rows);
    const [before] = await query(address, "SELECT count(*) AS count FROM actions");
    expect(Number(before?.count)).toBeLessThan(12_000);
    expect(await json(cwd, ["store", "migrate", ".", address])).toMatchObject({ check: "identical" });
    const [after] = await query(address, "SELECT count(*) AS count FROM actions");
    expect(Number(after?.count)).toBe(12_000);
  });
});

/** Starts a migration, and kills it as soon as the new store has so many actions. */
async function migrateUntil(cwd: string, address: string, rows: number): Promise<void> {
  const child = spawn(process.execPath, [ralphProgram, "store", "migrate", ".", address], {
    cwd,
    env: ralphEnvironment(cwd, local),
    stdio: "ignore",
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (child.exitCode === null) {
    const [found] = await query(address, "SELECT count(*) AS count FROM actions");
    if (Number(found?.count) >= rows) break;
    await pause(5);
  }
  child.kill("SIGKILL");
  await ended;
}

/** A dump of one task and attempt with many actions, some of which say the same. */
function largeDump(actions: number): string {
  const time = "2026-01-01T00:00:00.000Z";
  const rows = [
    {
      table: "tasks",
      row: {
        ...{ number: 1, uuid: "00000000-0000-4000-8000-000000000001", description: "Much work" },
        ...{ created: time, updated: time, status: "completed", total_attempts: 1 },
        ...{ tags: "[]", tag_list: "", related_tasks: "[]", constraints: "[]" },
      },
    },
    {
      table: "attempts",
      row: {
        ...{ attempt_key: 1, task_number: 1, id: 1, started: time, plan: '{"approach":"a","steps":[]}' },
        ...{ iterations: 1, actions_performed: actions, errors: "[]", artifacts: "[]", files: "[]" },
      },
    },
    ...Array.from({ length: actions }, (_, at) => ({
      table: "actions",
      row: {
        ...{ action_key: at + 1, attempt_key: 1, timestamp: time, iteration: 1, tool: "Bash", success: 1 },
        params: JSON.stringify({ command: `step ${at % 1_500}` }),
      },
    })),
  ];
  const header = {
    ...{ format: "ralph-dump", version: 1, schema: 12, project: "p", created: time },
    highest: { tasks: 1, handoffs: 0 },
  };
  const end = { end: true, counts: { tasks: 1, attempts: 1, actions } };
  return [header, ...rows, end].map((line) => `${JSON.stringify(line)}\n`).join("");
}
