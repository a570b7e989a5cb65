import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";

/** What the tests of a team's store use, as modules that Node can load. */
export async function loadSupport() {
  const folder = resolve("dist/bench");
  await build({
    input: {
      server: "test/support/postgres/postgres-server.ts",
      proxy: "test/support/postgres/postgres-proxy.ts",
      actions: "test/support/postgres/measure-actions.ts",
    },
    platform: "node",
    logLevel: "warn",
    external: [/^node:/, /^[a-z@]/],
    output: { dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
  });
  const load = (name) => import(pathToFileURL(resolve(folder, `${name}.mjs`)).href);
  const [{ startPostgres, query }, { startProxy }, { measureActions }] = await Promise.all(
    ["server", "proxy", "actions"].map(load),
  );
  return { startPostgres, query, startProxy, measureActions };
}
