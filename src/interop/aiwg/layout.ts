import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import type { ForeignFile } from "../../memory/imports/foreign-record.js";
import { suggest } from "../../text/nearest.js";
import { readCrossTask } from "../cross-task/read-memory.js";
import { indexFile } from "../cross-task/task-memory.js";
import { crossTaskPaths, writeTasks } from "../cross-task/write-memory.js";
import type { Layout, ReadOptions } from "../layout.js";
import { openSource } from "../source-folder.js";
import { loopsFolder, readLoops, writeLoops } from "./loops.js";
import { backupFile, knowledgeFiles, readLearnings, readStaged } from "./read-knowledge.js";
import { writeKnowledge } from "./write-knowledge.js";

const crossTaskFolder = "ralph/memory";
const sections = ["learnings", "backup", "staging", "loops", "cross-task"] as const;

/** The folder `.aiwg`: learnings, the staging area, the state of loops, and cross-task memory. */
export const aiwgLayout: Layout = {
  name: "aiwg",
  find: ({ root }) => (hasSomething(join(root, ".aiwg")) ? [join(root, ".aiwg")] : []),
  read,
  async write(source, target) {
    target.claim(...Object.values(knowledgeFiles), loopsFolder, `${crossTaskFolder}/${indexFile}`);
    const knowledge = await writeKnowledge(source, target);
    const loops = await writeLoops(source, target);
    const paths = crossTaskPaths(join(target.directory, crossTaskFolder));
    const { tasks } = await writeTasks(source, { ...paths, maxAgeDays: 0, now: source.now });
    return { ...knowledge, task: tasks + loops };
  },
};

function hasSomething(folder: string): boolean {
  const paths = [
    ...[...Object.values(knowledgeFiles), backupFile],
    ...[loopsFolder, `${crossTaskFolder}/${indexFile}`],
  ];
  return paths.some((path) => existsSync(join(folder, path)));
}

function* read(path: string, options: ReadOptions): Generator<ForeignFile> {
  const folder = basename(path) === "knowledge" && !hasSomething(path) ? dirname(path) : path;
  const only = options.only.map((word) => checkSection(word));
  const isWanted = (section: (typeof sections)[number]) => only.length === 0 || only.includes(section);
  const source = openSource(folder);
  if (!hasSomething(folder))
    throw new RalphError("not-found", `No aiwg files in ${folder}`, {
      hint: `expected ${knowledgeFiles.learnings}, ${loopsFolder} or ${crossTaskFolder}/${indexFile}`,
    });
  if (only.includes("backup")) yield* readLearnings(source, { ...options, isBackup: true });
  else if (isWanted("learnings")) yield* readLearnings(source, options);
  if (isWanted("staging")) yield* readStaged(source, options);
  if (isWanted("loops")) yield* readLoops(source, options);
  if (isWanted("cross-task") && source.has(`${crossTaskFolder}/${indexFile}`))
    yield* readCrossTask(source, crossTaskFolder, "aiwg");
}

function checkSection(word: string): (typeof sections)[number] {
  const known = sections.find((section) => section === word);
  if (known !== undefined) return known;
  throw new RalphError("wrong-use", `Unknown section: ${word}`, { hint: suggest(word, sections) });
}
