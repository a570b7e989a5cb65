import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, join, normalize } from "node:path";
import { isMark } from "./marks.js";

const prefix = "ralph-";

/**
 * Puts a program into a control group of its own, which also holds the children that clear their environment. Undefined where
 * the system does not allow it, as in most containers.
 */
export function joinCgroup(pid: number, mark: string): string | undefined {
  const parent = ownCgroup();
  if (parent === undefined) return undefined;
  const path = join(parent, `${prefix}${mark}`);
  try {
    mkdirSync(path);
  } catch {
    return undefined;
  }
  try {
    writeFileSync(join(path, "cgroup.procs"), String(pid));
    return path;
  } catch {
    removeCgroup(path);
    return undefined;
  }
}

/** The processes in it, and in those below it. */
export function listCgroup(path: string): number[] {
  return foldersOf(path).flatMap((folder) => {
    try {
      const lines = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n");
      // 0 is a process that this space of process ids does not show.
      return lines.flatMap((line) => Number(line) || []);
    } catch {
      return [];
    }
  });
}

/** Kills all at once, so that none can start another in between; older kernels cannot. */
export function killCgroup(path: string): void {
  try {
    writeFileSync(join(path, "cgroup.kill"), "1");
  } catch {
    // Its processes are killed one by one.
  }
}

/** Succeeds when it is empty. */
export function removeCgroup(path: string): void {
  for (const folder of foldersOf(path).reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // Something in it still runs, or it is gone.
    }
  }
}

/** Removes the empty ones that killed processes could not; a program that is just being put into one does without. */
export function removeEmptyCgroups(): void {
  const parent = ownCgroup();
  if (parent === undefined) return;
  for (const folder of foldersIn(parent)) if (basename(folder).startsWith(prefix)) removeCgroup(folder);
}

/** A path that comes from a record must be one that `joinCgroup` made for this mark. */
export function isCgroupOf(path: string, mark: string): boolean {
  const isNamedAfterIt = isMark(mark) && basename(path) === `${prefix}${mark}`;
  return isNamedAfterIt && path.startsWith("/sys/fs/cgroup/") && normalize(path) === path;
}

function foldersOf(path: string): string[] {
  return [path, ...foldersIn(path).flatMap(foldersOf)];
}

function foldersIn(path: string): string[] {
  try {
    const below = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return below.map(({ name }) => join(path, name));
  } catch {
    return [];
  }
}

/** The folder of this process's group in version 2 of the interface. */
function ownCgroup(): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    const own = /^0::(\/.*)$/m.exec(readFileSync("/proc/self/cgroup", "utf8"))?.[1];
    // fields: id, parent, device, root, mount point, options … - type
    const mount = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /m.exec(
      readFileSync("/proc/self/mountinfo", "utf8"),
    );
    if (own === undefined || mount === null) return undefined;
    const [, root = "/", point = ""] = mount;
    const inside = root === "/" ? own : own.startsWith(root) ? own.slice(root.length) : undefined;
    return inside === undefined ? undefined : join(point, inside);
  } catch {
    return undefined;
  }
}
