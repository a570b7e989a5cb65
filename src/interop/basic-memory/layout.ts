import type { Layout } from "../layout.js";
import { findProjects } from "./find-projects.js";
import { readNotes } from "./read-notes.js";
import { writeNotes } from "./write-notes.js";

/** The Markdown files of basic-memory, with observations and relations in lists. */
export const basicMemoryLayout: Layout = {
  name: "basic-memory",
  find: findProjects,
  read: (path) => readNotes(path),
  write: writeNotes,
};
