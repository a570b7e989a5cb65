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
  return joinNear(compareLines(before, after));
}

/** A line of one of two texts, or of both. */
export type LineStep = { kind: "same" | "removed" | "added"; line: string };

/** All lines of two texts in order; of a place that differs, those that were removed first. */
export function compareLines(before: string, after: string): LineStep[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (end < shorter && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  const as = (kind: LineStep["kind"], lines: readonly string[]): LineStep[] =>
    lines.map((line) => ({ kind, line }));
  const changed =
    removed.length * added.length > maxComparisons
      ? [...as("removed", removed), ...as("added", added)]
      : compare(removed, added);
  return [...as("same", old.slice(0, start)), ...changed, ...as("same", old.slice(old.length - end))];
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\n$/, "").split("\n");
}

/** Along the longest common subsequence. */
function compare(old: readonly string[], now: readonly string[]): LineStep[] {
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const steps: LineStep[] = [];
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

function joinNear(steps: readonly LineStep[]): Hunk[] {
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
