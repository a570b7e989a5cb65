import { settingDefinitions, settingKeys } from "../../config/loading/schema.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import type { Memory } from "../../memory/memory.js";
import type { Candidate, RecordKind } from "./complete-words.js";

/** More than anybody looks through. */
const limit = 100;

/** The newest records of a kind, with a few words about each. */
export async function findRecordIds(memory: Memory, kind: RecordKind): Promise<Candidate[]> {
  switch (kind) {
    case "task":
      return (await memory.tasks.list({ limit })).map(({ id, description }) => ({
        value: id,
        summary: description,
      }));
    case "note":
      return (await memory.notes.list({ limit })).map(({ id, content }) => ({ value: id, summary: content }));
    case "learning":
      return (await memory.learnings.list({ limit })).map((learning) => ({
        value: learning.id,
        summary: statementOf(learning),
      }));
    case "staged":
      return (await memory.learnings.listStaged()).map(({ id, learning }) => ({
        value: id,
        summary: statementOf(learning),
      }));
    case "handoff":
      return (await memory.working.listHandoffs({})).slice(0, limit).map(({ id, context }) => ({
        value: id,
        summary: context.what_was_done,
      }));
    case "skill":
      return (await memory.skills.list()).map(({ name, description }) => ({
        value: name,
        summary: description,
      }));
    case "setting":
      return settingKeys.map((key) => ({ value: key, summary: settingDefinitions[key].summary }));
  }
}
