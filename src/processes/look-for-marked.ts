import { isCgroupOf, listCgroup } from "./cgroup.js";
import { carriesMark } from "./marks.js";
import { type FirstProcess, haveLaterHigherIds } from "./process-ids.js";
import { listProcessIds } from "./table/proc-table.js";
import { isRunning, type ProcessEntry } from "./table/process-entry.js";
import { environmentOf, findProcess, processSystem } from "./table/process-table.js";
import { listByPs } from "./table/ps-table.js";

/** What tells the processes of a program, or of a whole run, from all others. */
export interface Marked {
  mark: string;
  cgroup?: string | undefined;
  /** The first of them, if they were started here; what is older need not be looked into. */
  first?: FirstProcess | undefined;
}

/** Looks once; `onFound` is called for each as soon as it is found, because it may be gone in a moment. */
export type LookForMarked = (onFound?: (entry: ProcessEntry) => void) => Look;

export interface Look {
  found: ProcessEntry[];
  /** False if a process was gone before it could be looked into: it may have started another one. */
  isSure: boolean;
}

/**
 * Looks for the running processes that carry the mark, or are in the program's control group; never for this process. Each look
 * examines only what earlier ones have not seen, so that it outruns processes that hand on to others all the time; they must
 * follow each other soon, because process ids are reused.
 */
export function lookForMarked({ mark, cgroup, first }: Marked): LookForMarked {
  const others = new Set<number>();
  const lowest = first !== undefined && haveLaterHigherIds(first) ? first.pid : 0;
  const earliest = first?.started === undefined ? undefined : Number(first.started);

  const examine = (pid: number): ProcessEntry | "gone" | "other" => {
    const entry = findProcess(pid);
    if (entry === undefined) return "gone";
    const isOlder = earliest !== undefined && Number(entry.started) < earliest;
    if (isOlder || entry.isKernel) {
      others.add(pid);
      return "other";
    }
    if (!isRunning(entry)) return "gone";
    const variables = environmentOf(pid);
    if (variables !== undefined && carriesMark(variables, mark)) return entry;
    // Empty also for a moment while a process becomes another program.
    if (variables === "") return findProcess(pid) === undefined ? "gone" : "other";
    others.add(pid);
    return "other";
  };

  const inProc = (pids: readonly number[], onFound: (entry: ProcessEntry) => void): Look => {
    const listed = new Set(pids);
    for (const pid of others) if (!listed.has(pid)) others.delete(pid);
    const found: ProcessEntry[] = [];
    let isSure = true;
    // The newest, which have the highest numbers, are the ones that may be gone next.
    for (const pid of pids.toReversed()) {
      if (pid < lowest || others.has(pid) || pid === process.pid) continue;
      const result = examine(pid);
      if (result === "gone") isSure = false;
      else if (result !== "other") {
        onFound(result);
        found.push(result);
      }
    }
    return { found, isSure };
  };

  const byPs = (onFound: (entry: ProcessEntry) => void): Look => {
    const found = listByPs().filter(
      ({ words, ...entry }) => entry.pid !== process.pid && isRunning(entry) && carriesMark(words, mark),
    );
    found.forEach(onFound);
    return { found, isSure: true };
  };

  const looks = {
    proc: (onFound: (entry: ProcessEntry) => void) => inProc(listProcessIds(), onFound),
    ps: byPs,
    windows: () => ({ found: [], isSure: true }),
  };

  return (onFound = () => undefined) => {
    const { found, isSure } = looks[processSystem()](onFound);
    if (cgroup === undefined || !isCgroupOf(cgroup, mark)) return { found, isSure };
    const known = new Set([process.pid, ...found.map(({ pid }) => pid)]);
    const inCgroup = listCgroup(cgroup).filter((pid) => !known.has(pid));
    const more = inCgroup.flatMap((pid) => findProcess(pid) ?? []).filter(isRunning);
    more.forEach(onFound);
    return { found: [...found, ...more], isSure };
  };
}

export function findMarked(marked: Marked): ProcessEntry[] {
  return lookForMarked(marked)().found;
}
