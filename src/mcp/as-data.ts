import { defuseMarkup, fenceAsData, neutraliseLine } from "../text/fence/fence.js";

/** Lines of records for a model that reads text: fenced, so that they are not taken for instructions. */
export function fencedLines(introduction: string, lines: readonly string[]): string {
  return fenceAsData(introduction, lines.join("\n"));
}

/** Recorded text on one line of a text. */
export function line(text: string, maxLength = 300): string {
  return neutraliseLine(text, maxLength);
}

/** Recorded text within a value, cut if long. */
export function clipped(text: string, maxLength = 600): string {
  return text.length > maxLength ? `${text.slice(0, maxLength).trimEnd()}…` : text;
}

/**
 * A value with no text that could be taken for a fence or chat markup, or that cannot be seen; models are shown values, too.
 * What is in it of the fenced text stays.
 */
export function asData<Value>(value: Value, fenced: string): Value {
  return withoutMarkup(value, fenced) as Value;
}

function withoutMarkup(value: unknown, fenced: string): unknown {
  if (typeof value === "string") return value === fenced ? value : defuseMarkup(value);
  if (Array.isArray(value)) return value.map((member) => withoutMarkup(member, fenced));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [defuseMarkup(key), withoutMarkup(member, fenced)]),
  );
}
