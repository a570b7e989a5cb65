import type { Environment } from "../domain/environment.js";
import type { ForeignFile, ForeignKind } from "../memory/imports/foreign-record.js";
import type { ExportSource } from "./export-source.js";
import type { LayoutName } from "./layout-names.js";
import type { TargetFolder } from "./target-folder.js";

/** Where to look for data of other tools. */
export interface Surroundings {
  /** The folder of the project. */
  root: string;
  /** The user's home folder. */
  home: string;
  environment: Environment;
}

export interface ReadOptions {
  surroundings: Surroundings;
  /** Reads what does not match its checksum. */
  force: boolean;
  /** Names of the sections to read; empty for all. */
  only: readonly string[];
  /** Called with a line for what is not taken over: the file, and what of it. */
  onSkipped(part: string): void;
}

export interface SectionSummary {
  name: string;
  file: string;
  /** Taken only if it is asked for by name. */
  isOptional: boolean;
}

export type WrittenCounts = Partial<Record<ForeignKind, number>>;

/** How another tool keeps its records in files. */
export interface Layout {
  name: LayoutName;
  /** Paths in the project and in the user's home where there is such data. */
  find(surroundings: Surroundings): string[];
  /**
   * The files below a path, each with its records; throws with the file and line of what cannot be read. It is called once to
   * check everything, and again to take it in, so it reads one file after the other and keeps none.
   */
  read(path: string, options: ReadOptions): Iterable<ForeignFile> | AsyncIterable<ForeignFile>;
  /** The parts that a person can pick by their names; absent if everything belongs together. */
  sections?(path: string, options: Pick<ReadOptions, "surroundings" | "force">): SectionSummary[];
  /**
   * Writes records in this layout, and says how many of each kind; what came from it is written back as it was, but for what
   * has changed here.
   */
  write?(source: ExportSource, target: TargetFolder): Promise<WrittenCounts>;
}
