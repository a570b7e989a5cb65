/** A process as listed by the system. */
export interface ProcessEntry {
  pid: number;
  /** One letter and perhaps more; Z is a zombie. */
  state: string;
  parent: number;
  group: number;
  /** Start time in the system's own units: process ids are reused. */
  started: string;
  /** A thread of the system's own. */
  isKernel?: boolean;
}

/** How a system tells about its processes. */
export interface ProcessTable {
  find(pid: number): ProcessEntry | undefined;
  /** Undefined where nothing can be told. */
  list(): ProcessEntry[] | undefined;
  /** Program and arguments; words with spaces may be split. */
  commandLine(pid: number): string[];
  /** The variables, separated by null characters or spaces; undefined if they cannot be read. */
  environment(pid: number): string | undefined;
}

/** A process that has ended and that nobody has noticed yet (a zombie) does not run. */
export function isRunning({ state }: Pick<ProcessEntry, "state">): boolean {
  return !state.startsWith("Z") && !state.startsWith("X");
}
