import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openMemory } from "../../dist/library/index.js";
import { finishedTask } from "../finished-task.mjs";
import { environmentOf } from "./environment.mjs";

/** A scratch project whose finished tasks are the documents, taken over through the library in their order. */
export async function openTaskMemory(documents, { as }, embedder) {
  const folder = mkdtempSync(join(tmpdir(), "ralph-quality-"));
  const memory = await openMemory({ root: folder, environment: environmentOf(folder, embedder) });
  const histories = documents.map((document, index) => toHistory(document, index + 1, as));
  const { restored } = await memory.tasks.restore(histories);
  const documentOf = new Map(restored.map(({ task_id: id }, index) => [id, documents[index].id]));
  if (embedder !== undefined) await memory.embed();
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
      (await memory.tasks.search({ text, limit })).map(({ id }) => documentOf.get(id)),
    close,
  };
}

/** A finished task with one attempt that is about a text. */
export function toHistory({ text, files = [] }, number, as) {
  const time = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString();
  const description = as === "reflection" ? "A task that failed" : text;
  return finishedTask(number, {
    time,
    description,
    outcome: "success",
    completed: time,
    attempt: {
      context: { goal: description, constraints: [], files_involved: files },
      artifacts_produced: files,
    },
    reflections: as === "reflection" ? [{ observation: text, written_by: "runner" }] : [],
  });
}
