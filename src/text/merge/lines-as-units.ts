import { opaqueLines } from "../markdown/opaque-lines.js";
import type { Unit } from "./weave-units.js";

/** A line: what it says, and how it stands in the file. */
export interface RawLine {
  text: string;
  /** With its line end. */
  raw: string;
}

/** A unit of lines; `end` is the index behind its last one. */
export interface LineUnit extends Unit {
  end: number;
}

/**
 * Lines as units: each is one, and so is a code fence or a comment of several lines. Blank lines belong to what is below
 * them; the last unit stands behind the last line, with the blank ones at the end and no text.
 */
export function linesAsUnits(lines: readonly RawLine[]): LineUnit[] {
  const opaque = opaqueLines(lines.map(({ text }, number) => ({ number, text })));
  const units: LineUnit[] = [];
  let lead = "";
  for (const [index, { text, raw }] of lines.entries()) {
    const last = units.at(-1);
    if (last !== undefined && (opaque.get(index) ?? index) < index) {
      last.key += `\n${text}`;
      last.text += raw;
      last.end = index + 1;
    } else if (text === "") lead += raw;
    else {
      units.push({ key: text, lead, text: raw, end: index + 1 });
      lead = "";
    }
  }
  units.push({ key: "", lead, text: "", end: lines.length + 1 });
  return units;
}

export function rawLinesOf(text: string): RawLine[] {
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((raw) => ({ text: raw.replace(/[\r\n]+$/, ""), raw }));
}

/** The text of units, each of which ends its line, but for the last. */
export function joinUnits(units: readonly Pick<Unit, "lead" | "text">[]): string {
  const parts = units.flatMap(({ lead, text }) => [lead, text]).filter((part) => part !== "");
  const lineEnd = parts.some((part) => part.endsWith("\r\n")) ? "\r\n" : "\n";
  return parts
    .map((part, index) => (part.endsWith("\n") || index === parts.length - 1 ? part : part + lineEnd))
    .join("");
}
