import type { Brief } from "../../src/domain/knowledge/brief.js";
import type { Memory } from "../../src/memory/memory.js";
import { projectOf } from "../../src/memory/project-of.js";
import { recordBrief } from "../../src/semantic/credit-brief.js";

/** Records that a task was shown some records, as a brief does. */
export function recordShown(memory: Memory, brief: Brief): Promise<void> {
  return projectOf(memory).write(({ store }) =>
    store.transaction((tx) => recordBrief(tx, brief, brief.created)),
  );
}
