// Writes docs/cli.md from the commands' own help.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderCliReference } from "./render-cli-reference.mjs";

writeFileSync(join(import.meta.dirname, "../docs/cli.md"), await renderCliReference());
