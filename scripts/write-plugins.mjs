// Writes the plugins of Claude Code, Codex and Gemini CLI: hooks, server, skill and launcher come from one place.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { renderPlugins } from "./render-plugins.mjs";

const folder = join(import.meta.dirname, "../plugins");
for (const agent of ["claude", "codex", "gemini"])
  rmSync(join(folder, agent), { recursive: true, force: true });
for (const [path, text] of Object.entries(await renderPlugins())) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
  if (path.includes("/bin/")) chmodSync(join(folder, path), 0o755);
}
