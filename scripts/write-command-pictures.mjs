// Writes docs/overview.svg and docs/help.svg: what `ralph` and `ralph --help` print on a terminal.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderCommandPictures } from "./render-command-pictures.mjs";

for (const [path, picture] of Object.entries(renderCommandPictures()))
  writeFileSync(join(import.meta.dirname, "..", path), picture);
