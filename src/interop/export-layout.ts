import type { Memory } from "../memory/memory.js";
import { openExportSource } from "./export-source.js";
import type { Layout, WrittenCounts } from "./layout.js";
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

/** Writes the records of a memory to a folder, in a layout that supports export. */
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
