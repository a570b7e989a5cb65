import { isCgroupOf, listCgroup } from "./cgroup.js";
import { carriesMark } from "./marks.js";
import {
  findProcess,
  hasProc,
  isRunning,
  listProcessIds,
  type ProcessEntry,
  readProcessFile,
} from "./process-table.js";
import { listByPs } from "./ps-table.js";

/** What tells the processes of a program, or of a whole run, from all others. */
export interface Marked {
  mark: string;
  cgroup?: string | undefined;
  /** Start time of the first of them on this machine; what is older need not be looked into. */
  since?: string | undefined;
}

export interface Look {
  found: ProcessEntry[];
  /** False if a process was gone before it could be looked into: it may have started another one. */
  isSure: boolean;
}

/**
 * Looks for the running processes that carry the mark, or are in the program's control group; never for this process. Each look
 * examines only what earlier ones have not seen, so that it outruns processes that hand on to others all the time.
 */
export function lookForMarked({ mark, cgroup, since }: Marked): () => Look {
  const others = new Set<number>();
  const first = since === undefined ? undefined : Number(since);

  const examine = (pid: number): ProcessEntry | "gone" | "other" => {
    const entry = findProcess(pid);
    if (entry === undefined) return "gone";
    const isOlder = first !== undefined && Number(entry.started) < first;
    if (isOlder || entry.isKernel) {
      others.add(pid);
      return "other";
    }
    if (!isRunning(entry)) return "gone";
    const variables = readProcessFile(pid, "environ");
    if (variables !== undefined && carriesMark(variables, mark)) return entry;
    // Empty also for a moment while a process becomes another program.
    if (variables === "") return findProcess(pid) === undefined ? "gone" : "other";
    others.add(pid);
    return "other";
  };

  const inProc = (pids: readonly number[]): Look => {
    const found: ProcessEntry[] = [];
    let isSure = true;
    // The newest, which have the highest numbers, are the ones that may be gone next.
    for (const pid of pids.toReversed()) {
      if (others.has(pid) || pid === process.pid) continue;
      const result = examine(pid);
      if (result === "gone") isSure = false;
      else if (result !== "other") found.push(result);
    }
    return { found, isSure };
  };

  const byPs = (): Look => ({
    found: listByPs().flatMap(({ words, ...entry }) =>
      entry.pid !== process.pid && isRunning(entry) && carriesMark(words, mark) ? [entry] : [],
    ),
    isSure: true,
  });

  return () => {
    const { found, isSure } = hasProc ? inProc(listProcessIds() ?? []) : byPs();
    if (cgroup === undefined || !isCgroupOf(cgroup, mark)) return { found, isSure };
    const known = new Set([process.pid, ...found.map(({ pid }) => pid)]);
    const more = listCgroup(cgroup).filter((pid) => !known.has(pid));
    return { found: [...found, ...more.flatMap((pid) => findProcess(pid) ?? []).filter(isRunning)], isSure };
  };
}

export function findMarked(marked: Marked): ProcessEntry[] {
  return lookForMarked(marked)().found;
}
