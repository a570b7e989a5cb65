import { existsSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Layout } from "../layout.js";
import { openSource } from "../source-folder.js";
import { readCrossTask } from "./read-memory.js";
import { indexFile } from "./task-memory.js";
import { crossTaskPaths, writeTasks } from "./write-memory.js";

/** The published memory for learning across tasks. */
export const crossTaskLayout: Layout = {
  name: "cross-task",
  find: ({ root }) => {
    const path = join(root, ".aiwg", "ralph", "memory");
    return existsSync(join(path, indexFile)) ? [path] : [];
  },
  read: (path) => {
    const isIndex = basename(path) === indexFile && statSync(path, { throwIfNoEntry: false })?.isFile();
    return readCrossTask(openSource(isIndex ? dirname(path) : path), "", "cross-task");
  },
  write: async (source, target) => {
    target.claim(indexFile);
    const paths = crossTaskPaths(target.directory);
    return { task: (await writeTasks(source, { ...paths, maxAgeDays: 0, now: source.now })).tasks };
  },
};
