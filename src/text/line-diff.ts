/** Lines that were replaced at one place. */
export interface Hunk {
  removed: string[];
  added: string[];
}

/** Above this, the changed part is one hunk: comparing each line with each other would take too long. */
const maxComparisons = 250_000;
/** Changes with at most so many unchanged lines between them are one hunk. */
const maxGap = 1;

/** What has to be replaced to get from one text to another, line by line. */
export function diffLines(before: string, after: string): Hunk[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  if (removed.length === 0 && added.length === 0) return [];
  if (removed.length * added.length > maxComparisons) return [{ removed, added }];
  return joinNear(compare(removed, added));
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n");
}

type Step = { kind: "same" | "removed" | "added"; line: string };

/** Along the longest common subsequence. */
function compare(old: readonly string[], now: readonly string[]): Step[] {
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const steps: Step[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [before, after] = [old[row] ?? "", now[column] ?? ""];
    if (row < old.length && column < now.length && before === after) {
      steps.push({ kind: "same", line: before });
      row += 1;
      column += 1;
    } else if (column === now.length || (row < old.length && at(row + 1, column) >= at(row, column + 1))) {
      steps.push({ kind: "removed", line: before });
      row += 1;
    } else {
      steps.push({ kind: "added", line: after });
      column += 1;
    }
  }
  return steps;
}

function joinNear(steps: readonly Step[]): Hunk[] {
  const hunks: Hunk[] = [];
  let gap: string[] = [];
  let isOpen = false;
  for (const { kind, line } of steps) {
    if (kind === "same") {
      gap.push(line);
      if (gap.length > maxGap) isOpen = false;
      continue;
    }
    if (!isOpen) {
      hunks.push({ removed: [], added: [] });
      gap = [];
      isOpen = true;
    }
    const hunk = hunks.at(-1);
    hunk?.removed.push(...gap);
    hunk?.added.push(...gap);
    gap = [];
    hunk?.[kind].push(line);
  }
  return hunks;
}
