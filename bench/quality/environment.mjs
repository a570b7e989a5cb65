import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** The environment of a scratch memory: a home of its own, and the embedder where one is measured. */
export function environmentOf(folder, embedder) {
  const home = join(folder, "home");
  const { RALPH_STORE_URL: address } = process.env;
  // A folder is a project of its own, so that each set has its own records there.
  const store = address === undefined ? {} : { RALPH_STORE_URL: address, RALPH_PROJECT_KEY: folder };
  if (embedder === undefined) return { RALPH_HOME: home, ...store };
  mkdirSync(home, { recursive: true });
  if (embedder.packages !== undefined)
    symlinkSync(resolve(embedder.packages, "node_modules"), join(home, "node_modules"));
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith("RALPH_EMBEDDER_"));
  return { ...Object.fromEntries(settings), ...store, RALPH_HOME: home, RALPH_EMBEDDER_USE: embedder.use };
}
