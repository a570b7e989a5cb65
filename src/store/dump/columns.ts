import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";
import type { SqlValue } from "../sql.js";
import { unpackText } from "../stored-text.js";

/**
 * `word`: an id, a time or one of a few names; `text`: anything that was written. As JSON: `record` an object, `records` and
 * `texts` lists, `json` anything. `packed`: a compressed list of actions.
 */
export type ColumnKind =
  | "word"
  | "text"
  | "record"
  | "records"
  | "texts"
  | "json"
  | "integer"
  | "real"
  | "packed";

export interface Column {
  kind: ColumnKind;
  isOptional: boolean;
}

/** Columns by name, from a list like `id word, note text?`; those with a question mark are optional. */
export function columnsOf(list: string): Record<string, Column> {
  const columns = list.split(",").map((each): [string, Column] => {
    const [name = "", kind = ""] = each.trim().split(" ");
    return [name, { kind: kind.replace("?", "") as ColumnKind, isOptional: kind.endsWith("?") }];
  });
  return Object.fromEntries(columns);
}

/** A larger number could not be counted on from. */
const largest = 10 ** 15;

const isText = (value: SqlValue) => typeof value === "string";

const kinds: Record<ColumnKind, { what: string; isValid(value: SqlValue): boolean }> = {
  word: { what: "a text", isValid: isText },
  text: { what: "a text", isValid: isText },
  record: { what: "a JSON object as text", isValid: (value) => isObject(parsed(value)) },
  records: {
    what: "a JSON list of objects as text",
    isValid: (value) => isListOf(parsed(value), isObject),
  },
  texts: {
    what: "a JSON list of texts as text",
    isValid: (value) => isListOf(parsed(value), (item) => typeof item === "string"),
  },
  json: { what: "JSON as text", isValid: (value) => parsed(value) !== undefined },
  integer: {
    what: "a whole number",
    isValid: (value) =>
      typeof value === "number" && Number.isSafeInteger(value) && Math.abs(value) <= largest,
  },
  real: { what: "a number", isValid: (value) => typeof value === "number" && Number.isFinite(value) },
  packed: {
    what: "a compressed list of actions",
    isValid: (value) => value instanceof Uint8Array && isPacked(value),
  },
};

/** Throws if a value is none of its column. */
export function checkValue(name: string, { kind, isOptional }: Column, value: SqlValue): void {
  if (value === null && isOptional) return;
  const { what, isValid } = kinds[kind];
  if (value === null || !isValid(value))
    throw new RalphError("file-unusable", `"${name}" is ${value === null ? "missing" : `not ${what}`}`);
}

/** Whether a stored value is encoded, and cannot be decoded. */
export function isUnreadable(kind: ColumnKind, value: SqlValue): boolean {
  if (value === null || value === "") return false;
  return ["record", "records", "texts", "json", "packed"].includes(kind) && !kinds[kind].isValid(value);
}

/** Undefined if it is not JSON. */
function parsed(value: SqlValue): unknown {
  if (typeof value !== "string") return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isPacked(value: Uint8Array): boolean {
  try {
    return isListOf(
      JSON.parse(unpackText(value)),
      (action) => isObject(action) && isObject(Object(action).params),
    );
  } catch {
    return false;
  }
}
