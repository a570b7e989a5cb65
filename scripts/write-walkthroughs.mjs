// Refreshes the outputs that this document shows, by running its commands.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refresh } from "./walkthrough.mjs";

for (const name of ["tutorial.md"]) {
  const path = join(import.meta.dirname, "../docs", name);
  writeFileSync(path, await refresh(readFileSync(path, "utf8")));
}
