import { type Action, isEdit, patchOf, pathOf } from "../../domain/tasks/action.js";

/** How many lines of a file were added and removed, as far as the actions tell. */
export interface FileStat {
  path: string;
  added: number;
  removed: number;
}

/** By path, the largest change first. */
export function diffStat(actions: readonly Action[]): FileStat[] {
  const files = new Map<string, FileStat>();
  for (const action of actions) {
    if (!isEdit(action) || !action.success) continue;
    const path = pathOf(action);
    if (path === undefined) continue;
    const { added, removed } = linesOf(action);
    const known = files.get(path) ?? { path, added: 0, removed: 0 };
    files.set(path, { path, added: known.added + added, removed: known.removed + removed });
  }
  return [...files.values()].toSorted(
    (one, other) => other.added + other.removed - one.added - one.removed || (one.path < other.path ? -1 : 1),
  );
}

function linesOf(action: Action): Pick<FileStat, "added" | "removed"> {
  const patch = patchOf(action);
  if (patch !== undefined) {
    const lines = patch.split("\n");
    return {
      added: lines.filter((line) => /^\+(?!\+\+)/.test(line)).length,
      removed: lines.filter((line) => /^-(?!--)/.test(line)).length,
    };
  }
  const { params } = action;
  return { added: countLines(params.new_string ?? params.content), removed: countLines(params.old_string) };
}

function countLines(text: unknown): number {
  return typeof text === "string" && text !== "" ? text.replace(/\n$/, "").split("\n").length : 0;
}
