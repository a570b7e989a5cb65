import { availableParallelism, loadavg } from "node:os";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { logEntries } from "../../src/episodic/attempts/log-entries.js";
import {
  createPostgresStore,
  openPostgresStore,
  type SharedStore,
} from "../../src/store/postgres/open-postgres-store.js";
import { openSqliteStore } from "../../src/store/sqlite/open-sqlite-store.js";
import type { Store } from "../../src/store/store.js";
import { teamStore } from "../../src/store/team/team-store.js";
import { startProxy } from "../support/postgres/postgres-proxy.js";
import { lackOfPostgres, type PostgresServer, startPostgres } from "../support/postgres/postgres-server.js";
import { scratchFolder } from "../support/scratch.js";

const roundTripMs = 5;
const forMs = 4_000;
const time = "2026-01-01T00:00:00.000Z";

describe.skipIf(lackOfPostgres() !== undefined)("actions that a team's store takes, 5 ms away", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ max_connections: "200" });
  });
  afterAll(() => server.stop());

  it("are at least 500 a second from many writers to one project", async () => {
    const perSecond = await measure({ projects: 1, writers: 64 });
    console.log(`one project, 64 writers: ${perSecond} actions/s`);
    if (!isBusy()) expect(perSecond).toBeGreaterThanOrEqual(500);
  });

  it("are at least as many for 100 projects at once", async () => {
    const perSecond = await measure({ projects: 100, writers: 100 });
    console.log(`100 projects, a writer each: ${perSecond} actions/s`);
    if (!isBusy()) expect(perSecond).toBeGreaterThanOrEqual(500);
  });

  /** Each writer logs single actions to an attempt of its own, one after the other. */
  async function measure({ projects, writers }: { projects: number; writers: number }): Promise<number> {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    const proxy = await startProxy(address, { roundTripMs });
    onTestFinished(() => proxy.close());
    const local = await openSqliteStore({ directory: scratchFolder() });
    onTestFinished(() => local.close());
    const stores = await Promise.all(
      Array.from({ length: writers }, async (_, place) => {
        const shared = await openPostgresStore({
          ...{ address: proxy.address, projectKey: `project-${place % projects}`, environment: {} },
          connectTimeoutMs: 20_000,
        });
        onTestFinished(() => shared.close());
        return { store: teamStore(local, async () => shared), taskId: await startTask(shared) };
      }),
    );
    let logged = 0;
    const started = performance.now();
    await Promise.all(
      stores.map(async ({ store, taskId }) => {
        while (performance.now() - started < forMs) {
          await logOne(store, taskId);
          logged += 1;
        }
      }),
    );
    return Math.round((logged * 1000) / (performance.now() - started));
  }
});

/** The figure says nothing when others use the processors. */
function isBusy(): boolean {
  return (loadavg()[0] ?? 0) > 2 * availableParallelism();
}

async function startTask(store: SharedStore): Promise<string> {
  return store.transaction(async (tx) => {
    const { id, number } = await tx.tasks.add({
      ...{ uuid: crypto.randomUUID(), description: "Work", created: time, updated: time },
      ...{ status: "running", tags: [], related_tasks: [], constraints: [] },
    });
    await tx.tasks.countAttempt(number, time);
    await tx.attempts.add({ taskNumber: number, id: 1, started: time, plan: { approach: "", steps: [] } });
    return id;
  });
}

function logOne(store: Store, taskId: string) {
  const action = {
    timestamp: time,
    iteration: 1,
    tool: "Bash",
    params: { command: "npm test" },
    success: true,
  };
  const context = { store, clock: () => new Date(time) } as Parameters<typeof logEntries>[0];
  return logEntries(context, taskId, [{ kind: "action", action, idempotencyKey: undefined }]);
}
