// How an evaluator of histories reaches the memory: `eval_history.mjs --driver bench/history-driver.mjs`.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** @param {{ packageFolder: string, root: string, environment: Record<string, string>, clock: () => Date }} options */
export async function open({ packageFolder, root, environment, clock }) {
  const manifest = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const library = await import(pathToFileURL(resolve(packageFolder, manifest.exports["."].import)).href);
  const memory = await library.openMemory({ root, environment, clock });
  await memory.init();
  const { tasks, learnings } = memory;
  return {
    /** The new task's id. */
    initTask: async ({ description, tags }) => (await tasks.init({ description, ...(tags && { tags }) })).id,
    /** The plan that the attempt starts with, as text. */
    startAttempt: async (task) => (await tasks.start(task)).planText,
    /** Lines as `ralph task log` reads them: actions, and results of iterations. */
    log: (task, lines) => tasks.log(task, lines),
    /** @param {{ outcome: string, output?: string, quality?: number, reason?: string, whatWorked?: string[] }} result */
    completeAttempt: (task, result) => tasks.complete(task, result),
    consolidate: (since) => learnings.consolidate({ since }),
    /** Records as they are exported, superseded ones too. */
    learnings: async () => JSON.parse((await learnings.export()).text).learnings,
    /** `{ text, entries: [{ id, kind, section, statement, text }] }` */
    recall: (question) => memory.recall(question),
    /** Ids of tasks, the most similar first. */
    similarTasks: async (question) =>
      (await tasks.similar({ ...question, topK: 3 })).map(({ task_id }) => task_id),
    close: () => memory.close(),
  };
}
