import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { RalphError } from "../domain/ralph-error.js";
import type { Memory } from "../memory/memory.js";
import { openExportSource } from "./export-source.js";
import { importLayout } from "./import-layout.js";
import type { Layout, Surroundings, WrittenCounts } from "./layout.js";
import { openTarget } from "./target-folder.js";

export interface ExportOptions {
  /** Overwrites an earlier export. */
  force?: boolean | undefined;
  now: Date;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface ExportedLayout {
  directory: string;
  /** How many files were written. */
  files: number;
  written: WrittenCounts;
}

/** Writes the records of a memory to a folder, in a layout that has an export. */
export async function exportLayout(
  memory: Memory,
  layout: Layout,
  directory: string,
  { force = false, now, onProgress }: ExportOptions,
): Promise<ExportedLayout> {
  const target = openTarget(directory, { force });
  const source = await openExportSource(memory, layout.name, { now, ...(onProgress && { onProgress }) });
  const written = (await layout.write?.(source, target)) ?? {};
  return { directory, files: target.files(), written };
}

export interface SyncOptions {
  surroundings: Surroundings;
  stop: AbortSignal;
  everyMs: number;
  onExported(exported: ExportedLayout): void;
  /** What the other tool wrote cannot be read: nothing is overwritten until it can. */
  onProblem(problem: RalphError): void;
}

/**
 * Keeps a folder and a memory in step until `stop`: at once and after each task that ends, imports what the other tool wrote, so
 * that nothing of it is lost, and exports.
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
