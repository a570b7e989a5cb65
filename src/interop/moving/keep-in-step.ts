import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { RalphError } from "../../domain/ralph-error.js";
import type { Memory } from "../../memory/memory.js";
import type { Layout, Surroundings } from "../layout.js";
import { type ExportedLayout, exportLayout } from "./export-layout.js";
import { importLayout } from "./import-layout.js";

export interface StepOptions {
  surroundings: Surroundings;
  stop: AbortSignal;
  everyMs: number;
  onExported(exported: ExportedLayout): void;
  /** What the other tool wrote cannot be read: nothing is overwritten until it can. */
  onProblem(problem: RalphError): void;
}

/**
 * Keeps a folder and a memory in step until it is told to stop: takes in what the other tool wrote, and exports, at once and
 * after each task that ends.
 */
export async function keepInStep(
  memory: Memory,
  layout: Layout,
  directory: string,
  options: StepOptions,
): Promise<void> {
  const { stop, everyMs, onExported, onProblem } = options;
  const stopped = new Promise((resolve) => {
    stop.addEventListener("abort", resolve, { once: true });
  });
  let since = "";
  let ended = new Set<string>();
  for (let isFirst = true; !stop.aborted; isFirst = false) {
    const tasks = await memory.tasks.list({
      statuses: ["completed", "failed"],
      since,
      includesArchived: true,
    });
    const names = new Set(tasks.map(({ id, updated }) => `${id} ${updated}`));
    if (isFirst || [...names].some((name) => !ended.has(name))) {
      try {
        await takeIn(memory, layout, directory, options);
        onExported(await exportLayout(memory, layout, directory, { force: true, now: new Date() }));
      } catch (error) {
        if (!(error instanceof RalphError)) throw error;
        onProblem(error);
      }
    }
    ended = names;
    since = tasks.reduce((latest, { updated }) => (updated > latest ? updated : latest), since);
    await Promise.race([pause(everyMs), stopped]);
  }
}

/** So that an export loses nothing that the other tool added. */
async function takeIn(
  memory: Memory,
  layout: Layout,
  directory: string,
  { surroundings }: StepOptions,
): Promise<void> {
  if (!existsSync(directory)) return;
  try {
    await importLayout(memory, layout, directory, { surroundings });
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "not-found") throw error;
  }
}
