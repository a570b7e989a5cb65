import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** The environment of a scratch memory: a home of its own, and the embedder where one is measured. */
export function environmentOf(folder, embedder) {
  const home = join(folder, "home");
  if (embedder === undefined) return { RALPH_HOME: home };
  mkdirSync(home, { recursive: true });
  if (embedder.packages !== undefined)
    symlinkSync(resolve(embedder.packages, "node_modules"), join(home, "node_modules"));
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith("RALPH_EMBEDDER_"));
  return { ...Object.fromEntries(settings), RALPH_HOME: home, RALPH_EMBEDDER_USE: embedder.use };
}
