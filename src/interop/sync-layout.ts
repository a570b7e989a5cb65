import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { RalphError } from "../domain/ralph-error.js";
import type { Memory } from "../memory/memory.js";
import { type ExportedLayout, exportLayout } from "./export-layout.js";
import { importLayout } from "./import-layout.js";
import type { Layout, Surroundings } from "./layout.js";

export interface SyncOptions {
  surroundings: Surroundings;
  stop: AbortSignal;
  everyMs: number;
  onExported(exported: ExportedLayout): void;
  /** Called if the other tool's data cannot be read: nothing is overwritten until it can. */
  onProblem(problem: RalphError): void;
}

/**
 * Keeps a folder and a memory in step until `stop`: at the start and after each task that ends, imports what the other tool wrote, so that
 * nothing of it is lost, and exports.
 */
export async function syncLayout(
  memory: Memory,
  layout: Layout,
  directory: string,
  { surroundings, stop, everyMs, onExported, onProblem }: SyncOptions,
): Promise<void> {
  let since = "";
  let ended: Set<string> | undefined;
  while (!stop.aborted) {
    const tasks = await memory.tasks.list({
      statuses: ["completed", "failed"],
      since,
      includesArchived: true,
    });
    const names = new Set(tasks.map(({ id, updated }) => `${id} ${updated}`));
    if (ended === undefined || [...names].some((name) => !ended?.has(name)))
      try {
        if (existsSync(directory)) await importIfThere(memory, layout, directory, surroundings);
        onExported(await exportLayout(memory, layout, directory, { force: true, now: new Date() }));
      } catch (error) {
        if (!(error instanceof RalphError)) throw error;
        onProblem(error);
      }
    ended = names;
    since = tasks.reduce((latest, { updated }) => (updated > latest ? updated : latest), since);
    await setTimeout(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

async function importIfThere(
  memory: Memory,
  layout: Layout,
  directory: string,
  surroundings: Surroundings,
): Promise<void> {
  try {
    await importLayout(memory, layout, directory, { surroundings });
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "not-found") throw error;
  }
}
