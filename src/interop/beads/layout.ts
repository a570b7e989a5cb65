import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Layout } from "../layout.js";
import { beadsFolder } from "./open-beads.js";
import { readIssues } from "./read-issues.js";

/** The issues and memories of beads, from the file that it exports after each change. */
export const beadsLayout: Layout = {
  name: "beads",
  find: ({ root }) => {
    const path = join(root, beadsFolder);
    return existsSync(path) ? [path] : [];
  },
  read: readIssues,
};
