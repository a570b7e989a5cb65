import { compareLines } from "../../text/line-diff.js";
import type { FileChange } from "./open-files.js";

const contextLines = 2;

/** A change as people read it: lines with `-` and `+`, and a few around them. */
export function renderDiff({ before, after }: Pick<FileChange, "before" | "after">, name: string): string {
  const steps = compareLines(withoutReturns(before), withoutReturns(after));
  const isNear = (index: number) =>
    steps
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some(({ kind }) => kind !== "same");
  const marks = { same: " ", removed: "-", added: "+" };
  const lines: string[] = [];
  let isOpen = true;
  for (const [index, { kind, line }] of steps.entries()) {
    const isShown = isNear(index);
    if (isShown) lines.push(`${marks[kind]} ${line}`);
    else if (isOpen) lines.push("  …");
    isOpen = isShown;
  }
  const what = before === undefined ? " (new)" : after === undefined ? " (removed)" : "";
  return `${name}${what}\n${lines.map((line) => `${line}\n`).join("")}`;
}

function withoutReturns(text = ""): string {
  return text.replaceAll("\r\n", "\n");
}
