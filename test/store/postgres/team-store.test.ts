import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createPostgresStore, openPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { openSqliteStore } from "../../../src/store/sqlite/open-sqlite-store.js";
import type { Store } from "../../../src/store/store.js";
import { teamStore } from "../../../src/store/team-store.js";
import { describeStore } from "../../contract/store-contract.js";
import { startProxy } from "../../support/postgres/postgres-proxy.js";
import {
  lackOfPostgres,
  type PostgresServer,
  query,
  startPostgres,
} from "../../support/postgres/postgres-server.js";
import { startPool } from "../../support/postgres/start-pool.js";
import { tablesWithoutProject } from "../../support/postgres/statement-rules.js";
import { publishedLedger } from "../../support/published.js";
import { scratchFolder } from "../../support/scratch.js";

/** Through pgbouncer, which hands out connections by the transaction. */
const isPooled = process.env.RALPH_TEST_PGBOUNCER === "1";

describe.skipIf(lackOfPostgres() !== undefined)("with PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const sent = new Set<string>();
  let tables: string[] = [];
  const watched = async (direct: string) => {
    const proxy = await startProxy(direct);
    onTestFinished(async () => {
      for (const { statement } of proxy.takeSent()) sent.add(statement);
      await proxy.close();
    });
    const rows = await query(direct, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    tables = rows.map(({ tablename }) => String(tablename));
    return proxy.address;
  };

  describeStore({
    name: "PostgreSQL and this machine",
    async openTwo() {
      const directory = scratchFolder();
      const direct = await server.makeDatabase();
      await createPostgresStore({ address: direct, environment: {} });
      const address = isPooled ? await startPool(direct) : await watched(direct);
      const open = async (): Promise<Store> => {
        const store = teamStore(await openSqliteStore({ directory }), () =>
          openPostgresStore({ address, projectKey: "contract", environment: {} }),
        );
        onTestFinished(() => store.close());
        return store;
      };
      return [await open(), await open()];
    },
  });

  it.skipIf(isPooled)("says in every statement whose rows it means", () => {
    const careless = [...sent].filter((statement) => tablesWithoutProject(statement, tables).length > 0);
    expect(sent.size).toBeGreaterThan(30);
    // It finds out which project it is about, or makes it.
    expect(careless.filter((statement) => !/\bprojects WHERE key =|INTO projects/.test(statement))).toEqual(
      [],
    );
  });

  it("notices a statement that does not", () => {
    const known = ["tasks", "attempts"];
    expect(tablesWithoutProject("SELECT * FROM tasks WHERE number = $1", known)).toEqual(["tasks"]);
    expect(tablesWithoutProject("INSERT INTO tasks (number) VALUES ($1)", known)).toEqual(["tasks"]);
    const half = "SELECT 1 FROM tasks JOIN attempts ON TRUE WHERE tasks.project = $1";
    expect(tablesWithoutProject(half, known)).toEqual(["tasks", "attempts"]);
    expect(tablesWithoutProject(`${half} AND attempts.project = $1`, known)).toEqual([]);
  });

  it("forgets the tokens of transactions that nobody asks for any more", async () => {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    const store = await openPostgresStore({ address, projectKey: "tokens", environment: {} });
    onTestFinished(() => store.close());
    const handOver = (token: string) =>
      store.transaction((tx) => tx.ledgers.save({ ...publishedLedger, agent_id: token }), { token });
    await handOver("1-old");
    await query(address, "UPDATE commit_tokens SET created = now() - interval '8 days'");
    await handOver("2-new");
    await store.ledgers.save(publishedLedger);
    await query(address, "UPDATE commit_tokens SET created = created - interval '1 hour'");
    await handOver("000-cleaning");
    const rows = await query(address, "SELECT token FROM commit_tokens ORDER BY token");
    expect(rows.map(({ token }) => token)).toEqual(["000-cleaning", "2-new"]);
    await expect(handOver("2-new")).rejects.toMatchObject({ code: "already-exists" });
  });
});
