import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");

/** The files below plugins/ that repeat what `ralph setup` writes, by path. */
export async function renderPlugins() {
  const bundle = await rolldown({
    input: join(root, "src/setup/plugin-files.ts"),
    platform: "node",
    logLevel: "silent",
  });
  const { output } = await bundle.generate({ format: "esm", codeSplitting: false });
  await bundle.close();
  const { pluginFiles } = await import(
    `data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`
  );
  return pluginFiles(readFileSync(join(root, "plugins/skill/ralph-memory/SKILL.md"), "utf8"));
}
