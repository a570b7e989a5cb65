import { settingDefinitions, settingKeys } from "../../config/loading/schema.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { lazyModule } from "../../domain/lazy-module.js";
import { listAgentNames } from "../../domain/tasks/agent.js";
import type { Memory } from "../../memory/memory.js";
import { runsOf } from "../../memory/runs/make-run-verbs.js";
import type { Candidate, RecordKind } from "./complete-words.js";

const resumable = lazyModule(() => import("../../loop/start/find-resumable.js"));

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
    case "resumable":
      return described(memory, await resumable.listResumable(memory));
    case "stoppable": {
      const runs = runsOf(memory);
      const paused = (await runs.listPaused()).map(({ task }) => task.id);
      return described(memory, [...(await runs.list()).map(({ task_id: id }) => id), ...paused]);
    }
    case "agent": {
      const { settings } = await memory.settings();
      return listAgentNames(settings.agents).map((value) => ({ value }));
    }
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

async function described(memory: Memory, ids: readonly string[]): Promise<Candidate[]> {
  return Promise.all(
    [...new Set(ids)].map(async (id) => ({
      value: id,
      summary: (await memory.tasks.history(id)).description,
    })),
  );
}
