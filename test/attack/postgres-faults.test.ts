import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  createPostgresStore,
  openPostgresStore,
  type SharedStore,
} from "../../src/store/postgres/open-postgres-store.js";
import { startProxy } from "../support/postgres/postgres-proxy.js";
import {
  lackOfPostgres,
  type PostgresServer,
  query,
  startPostgres,
} from "../support/postgres/postgres-server.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

const writers = 32;
const writesEach = 30;
const restarts = 4;
const kills = 100;

describe.skipIf(lackOfPostgres() !== undefined)("a team's store under faults", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ fsync: "on", max_connections: "200" });
  });
  afterAll(() => server.stop());

  const newStore = async () => {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    return address;
  };

  it("keeps what it acknowledged, once, while the server restarts and answers to COMMIT are lost", async () => {
    const address = await newStore();
    const proxy = await startProxy(address, { cutCommits: 0.15 });
    onTestFinished(() => proxy.close());
    const open = () =>
      openPostgresStore({
        address: proxy.address,
        projectKey: "faults",
        environment: {},
        patienceMs: 120_000,
        connectTimeoutMs: 10_000,
      });
    const stores = await Promise.all(Array.from({ length: writers }, open));
    const attempts = await startAttempts(stores[0] as SharedStore);
    const acknowledged: string[] = [];
    const write = async (store: SharedStore, writer: number) => {
      for (let count = 0; count < writesEach; count += 1) {
        const name = `${writer}-${count}`;
        if (count % 3 === 0) await store.transaction(async (tx) => void (await tx.tasks.add(newTask(name))));
        else await logAction(store, attempts[writer % attempts.length] as number, name);
        acknowledged.push(name);
      }
    };
    let isOver = false;
    const all = Promise.all(stores.map(write)).finally(() => {
      isOver = true;
    });
    for (let restart = 0; restart < restarts; restart += 1) {
      const goal = ((restart + 1) * writers * writesEach) / (restarts + 1);
      while (!isOver && acknowledged.length < goal) await pause(20);
      await server.kill();
      await server.start();
    }
    await all;
    await Promise.all(stores.map((store) => store.close()));

    const kept = await query(
      address,
      "SELECT description AS name FROM tasks WHERE description LIKE '%-%' UNION ALL SELECT tool FROM actions",
    );
    console.log(
      `${acknowledged.length} acknowledged, ${proxy.cuts()} answers to COMMIT cut, ${restarts} restarts`,
    );
    expect(proxy.cuts()).toBeGreaterThan(writers);
    expect(acknowledged).toHaveLength(writers * writesEach);
    expect(kept.map(({ name }) => name).sort()).toEqual(acknowledged.toSorted());
    const counted = await query(address, "SELECT sum(actions_performed) AS sum FROM attempts");
    expect(Number(counted[0]?.sum)).toBe(
      kept.filter(({ name }) => Number(String(name).split("-")[1]) % 3 !== 0).length,
    );
  });

  it("keeps what killed processes acknowledged, and nothing by halves", async () => {
    const address = await newStore();
    const cwd = scratchRepository();
    const env = ralphEnvironment(cwd, { RALPH_STORE_URL: address });
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    let killed = 0;
    /** How long a command takes beside the others, which changes with what else the machine does. */
    let usualMs = 0;
    const runAndKill = async (name: string, killMs: number) => {
      const started = performance.now();
      const child = spawn(process.execPath, [ralphProgram, "task", "init", name], {
        ...{ cwd, env },
        stdio: "ignore",
      });
      const timer = setTimeout(() => child.kill("SIGKILL"), killMs);
      const [status, signal] = await new Promise<unknown[]>((resolve) =>
        child.on("exit", (...end) => resolve(end)),
      );
      clearTimeout(timer);
      if (status === 0) {
        acknowledged.push(name);
        usualMs = performance.now() - started;
      } else if (signal === "SIGKILL") killed += 1;
      else failures.push({ name, status, signal });
    };
    await Promise.all(Array.from({ length: 6 }, (_, place) => runAndKill(`warm-${place}`, 60_000)));
    let next = 0;
    const worker = async () => {
      while (killed < kills && next < kills * 6) {
        next += 1;
        await runAndKill(`kill-${next}`, usualMs * (0.4 + Math.random()));
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    const tasks = await query(
      address,
      `SELECT description, count(*) AS count, min(number) AS number FROM tasks GROUP BY description`,
    );
    const kept = new Map(tasks.map(({ description, count }) => [description, Number(count)]));
    console.log(`${killed} killed, ${acknowledged.length} acknowledged, ${kept.size} kept`);
    expect(failures).toEqual([]);
    expect(killed).toBeGreaterThanOrEqual(kills);
    expect(acknowledged.length).toBeGreaterThan(10);
    for (const name of acknowledged) expect(kept.get(name), name).toBe(1);
    for (const [name, count] of kept) expect(count, String(name)).toBe(1);
    const list = await runRalph(["task", "list", "--json", "--limit", "1000"], {
      cwd,
      env: { RALPH_STORE_URL: address },
    });
    expect(list.status, list.stderr).toBe(0);
  });
});

async function startAttempts(store: SharedStore): Promise<number[]> {
  const tasks = await Promise.all(
    Array.from({ length: 8 }, (_, place) =>
      store.transaction(async (tx) => {
        const { number } = await tx.tasks.add(newTask(`attempt ${place}`));
        await tx.attempts.add({
          taskNumber: number,
          id: 1,
          started: "2026-01-01T00:00:00.000Z",
          plan: { approach: "", steps: [] },
        });
        return number;
      }),
    ),
  );
  return tasks;
}

/** As logging does: it holds only the attempt. */
function logAction(store: SharedStore, task: number, tool: string): Promise<void> {
  return store.transaction(
    async (tx) => {
      const [, attempt] = await Promise.all([tx.attempts.hold(task), tx.attempts.findLast(task)]);
      if (attempt === undefined) throw new Error("The attempt vanished");
      const action = {
        timestamp: "2026-01-01T00:00:00.000Z",
        ...{ iteration: 1, tool, params: {}, success: true },
      };
      await tx.actions.recordAll(attempt.key, [{ action, key: undefined }]);
      await tx.attempts.countActions(attempt.key, 1, 1);
    },
    { lock: "rows" },
  );
}

function newTask(description: string) {
  const time = "2026-01-01T00:00:00.000Z";
  return {
    uuid: crypto.randomUUID(),
    description,
    ...{ created: time, updated: time, status: "running" as const },
    ...{ tags: [], related_tasks: [], constraints: [] },
  };
}
