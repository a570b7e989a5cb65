import { expect } from "vitest";

export const containing = (text: string): string => expect.stringContaining(text);

/** A failure at `file`, `file:line` or `file:line:column`. */
export function at(place: string, more: object = {}): object {
  const [, file, line, column] = /^(.*?)(?::(\d+))?(?::(\d+))?$/.exec(place) ?? [];
  return { file, ...(line && { line: Number(line) }), ...(column && { column: Number(column) }), ...more };
}
