import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logEntries } from "../../../src/episodic/attempts/storable-action.js";
import {
  createPostgresStore,
  openPostgresStore,
  type SharedStore,
} from "../../../src/store/postgres/open-postgres-store.js";
import { openSqliteStore } from "../../../src/store/sqlite/open-sqlite-store.js";
import type { Store } from "../../../src/store/store.js";
import { teamStore } from "../../../src/store/team-store.js";
import { startProxy } from "./postgres-proxy.js";
import type { PostgresServer } from "./postgres-server.js";

const roundTripMs = 5;
const forMs = 4_000;
const time = "2026-01-01T00:00:00.000Z";

/** Actions a second that a store 5 ms away takes. Each writer logs single actions to an attempt of its own, one after the other. */
export async function measureActions(
  server: Pick<PostgresServer, "makeDatabase">,
  { projects, writers }: { projects: number; writers: number },
): Promise<number> {
  const address = await server.makeDatabase();
  await createPostgresStore({ address, environment: {} });
  const proxy = await startProxy(address, { roundTripMs });
  const directory = mkdtempSync(join(tmpdir(), "ralph-actions-"));
  const local = await openSqliteStore({ directory });
  const opened: SharedStore[] = [];
  try {
    const stores = await Promise.all(
      Array.from({ length: writers }, async (_, place) => {
        const shared = await openPostgresStore({
          ...{ address: proxy.address, projectKey: `project-${place % projects}`, environment: {} },
          connectTimeoutMs: 20_000,
        });
        opened.push(shared);
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
  } finally {
    for (const shared of opened) await shared.close();
    await local.close();
    await proxy.close();
    rmSync(directory, { recursive: true, force: true });
  }
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
