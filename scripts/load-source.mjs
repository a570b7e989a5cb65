import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");

/** The exports of files below src/, as one module. */
export async function loadSource(...paths) {
  const entry = "virtual:entry";
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    logLevel: "silent",
    external: [/^node:/, /^[a-z@](?!irtual:)[^:]*$/],
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) =>
          id === entry
            ? paths.map((path) => `export * from ${JSON.stringify(join(root, "src", path))};`).join("\n")
            : undefined,
      },
    ],
  });
  // Packages are found from a folder of the project only.
  const folder = mkdtempSync(join(root, "node_modules/.ralph-source-"));
  try {
    const file = join(folder, "source.mjs");
    await bundle.write({ file, format: "esm", codeSplitting: false });
    return await import(file);
  } finally {
    await bundle.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
