import { createPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { startPostgres } from "./postgres-server.js";

/** One server for the whole suite. Every project has a memory of its own there, by the place of its folder. */
export async function setup(): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const address = await server.makeDatabase();
  await createPostgresStore({ address, environment: {} });
  process.env.RALPH_TEST_STORE_URL = address;
  return () => server.stop();
}
