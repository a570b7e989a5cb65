// Refreshes the outputs that these documents show, by running their commands.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refresh } from "./walkthrough.mjs";

for (const name of ["tutorial.md", "session.md"]) {
  const path = join(import.meta.dirname, "../docs", name);
  writeFileSync(path, await refresh(readFileSync(path, "utf8")));
}
