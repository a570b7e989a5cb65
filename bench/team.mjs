// A team's store on PostgreSQL: npm run bench:team -- [--records 1000,100000] [--only rate,records] [--json]
// Starts the server of the tests (RALPH_TEST_POSTGRES_BIN and RALPH_TEST_POSTGRES_URL choose another one).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillBoth } from "./team/fill.mjs";
import { loadSupport } from "./team/load-support.mjs";
import { measureRate } from "./team/rate.mjs";
import { measureLog, measureSearch } from "./team/search.mjs";
import { measureSizes } from "./team/sizes.mjs";
import { createStore } from "./team/team-memory.mjs";

const { values } = parseArgs({
  options: {
    records: { type: "string", default: "1000,100000" },
    only: { type: "string", default: "rate,records" },
    json: { type: "boolean", default: false },
  },
});
const parts = values.only.split(",");
const { startPostgres, query, ...support } = await loadSupport();
const folder = mkdtempSync(join(tmpdir(), "ralph-team-"));
// Without statistics: a small project must be quick before the server has looked at it.
const server = await startPostgres({
  ...{ max_connections: "250", shared_buffers: "512MB", autovacuum: "off", max_wal_size: "4GB" },
});
const show = (rows) => {
  if (values.json) for (const row of rows) console.log(JSON.stringify(row));
  else console.table(rows);
};
try {
  if (parts.includes("rate")) show(await measureRate(folder, { server, ...support }));
  if (parts.includes("records"))
    for (const records of values.records.split(",").map(Number)) {
      const address = await server.makeDatabase();
      createStore(address);
      const both = await fillBoth(folder, records, { address, project: "bench" });
      // As autovacuum does by the time that there are so many.
      if (records > 10_000) await query(address, "VACUUM ANALYZE");
      const { rows, seconds } = both.fill;
      const fill = { what: `rows/s filled, at ${records} records`, value: Math.round(rows / seconds) };
      show([fill, ...(await measureSearch(both, records)), await measureLog(both, records)]);
      show(await measureSizes(query, address));
      await both.own.close();
      await both.team.close();
    }
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
