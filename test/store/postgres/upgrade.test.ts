import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { schemaVersion } from "../../../src/store/schema-version.js";
import {
  lackOfPostgres,
  type PostgresServer,
  query,
  startPostgres,
} from "../../support/postgres/postgres-server.js";

describe.skipIf(lackOfPostgres() !== undefined)("a team's database of an earlier version", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const columnsOf = (address: string) =>
    query(
      address,
      "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
    );

  it("is brought up to date by creating it again, and keeps its rows", async () => {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    const columns = await columnsOf(address);
    await query(address, "INSERT INTO projects (key) VALUES ('shop')");
    await query(address, "DROP TABLE foreign_records");
    await query(address, "UPDATE ralph_schema SET version = 13");
    expect(await createPostgresStore({ address, environment: {} })).toMatchObject({ state: "upgraded" });
    expect(await columnsOf(address)).toEqual(columns);
    expect(await query(address, "SELECT key FROM projects")).toEqual([{ key: "shop" }]);
    expect(await query(address, "SELECT version FROM ralph_schema")).toEqual([{ version: schemaVersion }]);
    expect(await createPostgresStore({ address, environment: {} })).toMatchObject({ state: "present" });
  });
});
