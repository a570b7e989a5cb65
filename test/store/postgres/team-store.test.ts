import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { createPostgresStore, openPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { openSqliteStore } from "../../../src/store/sqlite/open-sqlite-store.js";
import type { Store } from "../../../src/store/store.js";
import { teamStore } from "../../../src/store/team/team-store.js";
import { describeStore } from "../../contract/store-contract.js";
import {
  lackOfPostgres,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres/postgres-server.js";
import { scratchFolder } from "../../support/scratch.js";

describe.skipIf(lackOfPostgres() !== undefined)("with PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  describeStore({
    name: "PostgreSQL and this machine",
    async openTwo() {
      const directory = scratchFolder();
      const address = await server.makeDatabase();
      await createPostgresStore({ address, environment: {} });
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
});
