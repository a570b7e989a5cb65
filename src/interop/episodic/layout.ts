import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { readFileMap } from "../file-map.js";
import type { Layout, ReadOptions } from "../layout.js";
import { SkippedParts } from "../skipped-parts.js";
import { openSource } from "../source-folder.js";
import { skipOthers } from "./read-attempt.js";
import { readTask, taskNames } from "./read-tree.js";
import { tasksFolder } from "./task-tree.js";
import { writeTree } from "./write-tree.js";

/** The published tree of tasks. */
export const episodicLayout: Layout = {
  name: "episodic",
  find: ({ root }) => {
    const path = join(root, ".aiwg", "ralph");
    return existsSync(join(path, tasksFolder)) ? [path] : [];
  },
  read,
  write: async (source, target) => ({ task: (await writeTree(source, target)).tasks }),
};

function* read(path: string, { onSkipped }: ReadOptions): Generator<ForeignFile> {
  const source = openSource(path);
  const skipped = new SkippedParts();
  const names = taskNames(source);
  skipOthers(source, tasksFolder, names, skipped);
  for (const name of names) {
    const folder = `${tasksFolder}/${name}`;
    const record = readTask(source, name, skipped);
    yield {
      file: folder,
      records: [{ kind: "task", id: name, record, original: readFileMap(source, folder, onSkipped) }],
    };
  }
  skipped.list().forEach(onSkipped);
}
