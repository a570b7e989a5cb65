import type { ForeignKind } from "../memory/imports/foreign-record.js";
import type { ImportReport } from "../memory/imports/import-report.js";
import type { Memory } from "../memory/memory.js";
import type { Layout, ReadOptions } from "./layout.js";

export interface ImportOptions extends Pick<ReadOptions, "surroundings"> {
  force?: boolean | undefined;
  only?: readonly string[] | undefined;
  dryRun?: boolean | undefined;
  /** Called with the number of records once all of them were checked. */
  onChecked?(total: number): void;
  onProgress?(done: number): void;
}

export interface ImportedLayout extends ImportReport {
  /** Unsupported files and fields. */
  leftOut: string[];
}

export interface FoundRecords {
  counts: Partial<Record<ForeignKind, number>>;
  total: number;
  leftOut: string[];
}

/** Reads everything, and throws at the first thing that cannot be imported. Changes nothing. */
export async function checkLayout(
  memory: Memory,
  layout: Layout,
  path: string,
  { surroundings, force = false, only = [] }: ImportOptions,
): Promise<FoundRecords> {
  const leftOut: string[] = [];
  const onSkipped = (part: string) => leftOut.push(part);
  const counts = await memory.imports.check(layout.read(path, { surroundings, force, only, onSkipped }));
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { counts, total, leftOut };
}

/** Imports the data at a path after all of it was read successfully. */
export async function importLayout(
  memory: Memory,
  layout: Layout,
  path: string,
  options: ImportOptions,
): Promise<ImportedLayout> {
  const { surroundings, force = false, only = [], dryRun, onChecked, onProgress } = options;
  const { total, leftOut } = await checkLayout(memory, layout, path, options);
  onChecked?.(total);
  const files = layout.read(path, { surroundings, force, only, onSkipped: () => undefined });
  const report = await memory.imports.take(files, { layout: layout.name, dryRun, onProgress });
  return { ...report, leftOut };
}
