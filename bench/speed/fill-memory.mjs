import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../dist/library/index.js";
import { fillLearnings } from "./learnings.mjs";
import { makeNotesFile } from "./make-notes-file.mjs";
import { makeTask } from "./tasks.mjs";

/** A memory with everything there is to look through: notes, and as many tasks as learnings. */
export async function fillMemory(folder, { notes, records }) {
  mkdirSync(join(folder, ".agent"));
  writeFileSync(join(folder, ".agent/memories.md"), makeNotesFile(notes));
  const memory = await openMemory({ root: folder, environment: { RALPH_HOME: join(folder, "user-home") } });
  const learnings = Math.floor(records / 2);
  await memory.tasks.restore(Array.from({ length: records - learnings }, (_, index) => makeTask(index + 1)));
  await fillLearnings(memory, learnings);
  return memory;
}
