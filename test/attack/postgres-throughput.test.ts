import { availableParallelism, loadavg } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { measureActions } from "../support/postgres/measure-actions.js";
import { lackOfPostgres, type PostgresServer, startPostgres } from "../support/postgres/postgres-server.js";

describe.skipIf(lackOfPostgres() !== undefined)("actions that a team's store takes, 5 ms away", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres({ max_connections: "200" });
  });
  afterAll(() => server.stop());

  it("are at least 500 a second from many writers to one project", async () => {
    const perSecond = await measureActions(server, { projects: 1, writers: 64 });
    console.log(`one project, 64 writers: ${perSecond} actions/s`);
    if (!isBusy()) expect(perSecond).toBeGreaterThanOrEqual(500);
  });

  it("are at least as many for 100 projects at once", async () => {
    const perSecond = await measureActions(server, { projects: 100, writers: 100 });
    console.log(`100 projects, a writer each: ${perSecond} actions/s`);
    if (!isBusy()) expect(perSecond).toBeGreaterThanOrEqual(500);
  });
});

/** The figure says nothing when others use the processors. */
function isBusy(): boolean {
  return (loadavg()[0] ?? 0) > 2 * availableParallelism();
}
