import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../../dist/library/index.js";
import { environmentOf } from "./environment.mjs";

/** A scratch project whose finished tasks are the documents, taken over through the library in their order. */
export async function openTaskMemory(documents, { as }, embedder) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-quality-"));
  const memory = await openMemory({ root: folder, environment: environmentOf(folder, embedder) });
  const histories = documents.map((document, index) => toHistory(document, index + 1, as));
  const { restored } = await memory.restoreTasks(histories);
  const documentOf = new Map(restored.map(({ task_id: id }, index) => [id, documents[index].id]));
  if (embedder !== undefined) await memory.embedRecords();
  return {
    memory,
    documentOf,
    async close() {
      await memory.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The search of such a memory. */
export async function openRalphTasks(documents, options, embedder) {
  const { memory, documentOf, close } = await openTaskMemory(documents, options, embedder);
  return {
    search: async (text, limit) =>
      (await memory.searchTasks({ text, limit })).map(({ id }) => documentOf.get(id)),
    close,
  };
}

/** A finished task with one attempt that is about a text. */
export function toHistory({ text, files = [] }, number, as) {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
  const id = `task-${String(number).padStart(3, "0")}`;
  const description = as === "reflection" ? "A task that failed" : text;
  return {
    id,
    uuid: crypto.randomUUID(),
    description,
    created: time,
    updated: time,
    completed: time,
    status: "completed",
    current_attempt: 1,
    total_attempts: 1,
    tags: [],
    related_tasks: [],
    constraints: [],
    attempts: [
      {
        id: 1,
        task_id: id,
        started: time,
        ended: time,
        plan: { approach: "", steps: [] },
        context: { goal: description, constraints: [], files_involved: files },
        execution: { iterations: 1, actions_performed: 0, quality_history: [] },
        outcome: { status: "success", what_worked: [], what_didnt_work: [], suggestions_for_next_time: [] },
        errors_encountered: [],
        artifacts_produced: files,
        actions: [],
        milestones: [],
        results: [],
      },
    ],
    reflections: as === "reflection" ? [toReflection(id, time, text)] : [],
    memory_capacity_changes: [],
  };
}

function toReflection(id, time, text) {
  return {
    timestamp: time,
    task_id: id,
    attempt_id: 1,
    observation: text,
    analysis: "",
    learning: "",
    action_items: [],
    triggered_by: "failure",
    reflection_type: "error-analysis",
    written_by: "runner",
  };
}
