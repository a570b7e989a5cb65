import type { Unit } from "./merge-units.js";

/** The lines of a text as units; line ends are no part of what a line is. */
export function linesAsUnits(text: string): Unit[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => ({
    key: line.replace(/[\r\n]+$/, ""),
    text: line,
    isRecord: false,
  }));
}

/** The text of units, each of which ends its line, but for the last. */
export function joinUnits(units: readonly Unit[]): string {
  const lineEnd = units.some(({ text }) => text.endsWith("\r\n")) ? "\r\n" : "\n";
  return units
    .map(({ text }, index) => (text.endsWith("\n") || index === units.length - 1 ? text : text + lineEnd))
    .join("");
}
