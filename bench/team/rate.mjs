import { fork } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createStore } from "./team-memory.mjs";

const forMs = 5_000;
const roundTripMs = 5;
const processes = 2;

/**
 * Actions a second that the store takes from many writers, 5 ms away: all to one project, then each to its own. The second figure is
 * with the whole library in the writers, which check their settings and files with each action, on the same processors.
 */
export async function measureRate(folder, { server, startProxy, measureActions }) {
  const rows = [];
  for (const { projects, writers } of [
    { projects: 1, writers: 64 },
    { projects: 100, writers: 100 },
  ]) {
    const what = `actions/s, ${writers} writers to ${projects} project(s), 5 ms away`;
    rows.push({ what, value: await measureActions(server, { projects, writers }), bar: 500 });
    const address = await server.makeDatabase();
    createStore(address);
    const proxy = await startProxy(address, { roundTripMs });
    try {
      const logged = await Promise.all(
        Array.from({ length: processes }, (_, place) =>
          writeIn(join(folder, `rate-${projects}-${place}`), {
            ...{ address: proxy.address, forMs },
            writers: Array.from({ length: writers / processes }, (__, index) => ({
              project: `project-${(place * (writers / processes) + index) % projects}`,
            })),
          }),
        ),
      );
      const perSecond = Math.round(logged.reduce((sum, each) => sum + each, 0));
      rows.push({ what: `${what}, by the library`, value: perSecond });
    } finally {
      await proxy.close();
    }
  }
  return rows;
}

/** How many actions a second the writers of one process got acknowledged. */
function writeIn(folder, work) {
  mkdirSync(folder, { recursive: true });
  return new Promise((done, fail) => {
    const child = fork(resolve(import.meta.dirname, "write-actions.mjs"), { stdio: "inherit" });
    child.on("message", done);
    child.on("error", fail);
    child.on("exit", (status) => fail(new Error(`A process of writers ended with ${status}`)));
    child.send({ ...work, folder });
  });
}
