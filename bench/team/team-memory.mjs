import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { openMemory } from "../../dist/library/index.js";

const ralph = resolve(import.meta.dirname, "../../dist/cli/main.cjs");

/** A memory of a machine whose records are on the server; the project goes by its key. */
export function openTeamMemory(root, { address, project }) {
  mkdirSync(root, { recursive: true });
  return openMemory({
    root,
    environment: {
      RALPH_HOME: join(root, "user-home"),
      RALPH_STORE_URL: address,
      RALPH_PROJECT_KEY: project,
    },
  });
}

export function createStore(address) {
  execFileSync(process.execPath, [ralph, "store", "create", address], { stdio: "ignore" });
}
