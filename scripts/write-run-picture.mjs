// Writes docs/run.svg: what `ralph run` shows, drawn by the code that shows it in a terminal.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { renderRunPicture } from "./render-run-picture.mjs";

const output = join(import.meta.dirname, "../src/cli/output");
const folder = mkdtempSync(join(tmpdir(), "ralph-picture-"));
try {
  const entry = join(folder, "display.ts");
  const modules = ["run/run-lines", "run/shown-line", "run/render-end", "live/run-status"];
  writeFileSync(
    entry,
    modules.map((name) => `export * from ${JSON.stringify(join(output, `${name}.ts`))};\n`).join(""),
  );
  const file = join(folder, "display.mjs");
  await build({ input: entry, platform: "node", output: { file, format: "esm" }, logLevel: "warn" });
  writeFileSync(join(import.meta.dirname, "../docs/run.svg"), renderRunPicture(await import(file)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
