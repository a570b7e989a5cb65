import { RalphError } from "../../domain/ralph-error.js";
import type { Asked } from "./route.js";

const rowsOnPage = 50;
const mostRows = 200;
const mostCounted = 1_000_000_000;

/** Which part of a list is asked for: `?page=3`, from 1. */
export function pageOf(query: URLSearchParams): { page: number; limit: number; offset: number } {
  const page = countOf(query, "page") ?? 1;
  const limit = Math.min(countOf(query, "rows") ?? rowsOnPage, mostRows);
  return { page, limit, offset: (page - 1) * limit };
}

/** A list, or a part of it. */
export interface Listed<Row> {
  rows: Row[];
  /** Undefined if only the best matches are known. */
  total?: number;
  page: number;
  limit: number;
}

export function wordOf<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const given = textOf(query, name);
  if (given === undefined) return undefined;
  const word = words.find((each) => each === given);
  if (word === undefined)
    throw new RalphError("wrong-use", `${name} is one of ${words.join(", ")}, not ${given.slice(0, 40)}`);
  return word;
}

export function textOf(query: URLSearchParams, name: string): string | undefined {
  return query.get(name)?.trim() || undefined;
}

export function countOf(query: URLSearchParams, name: string, least = 1): number | undefined {
  const given = textOf(query, name);
  if (given === undefined) return undefined;
  const count = Number(given);
  if (/^\d+$/.test(given) && count >= least && count <= mostCounted) return count;
  throw new RalphError(
    "wrong-use",
    `${name} is a number from ${least} to ${mostCounted}, not ${given.slice(0, 40)}`,
  );
}

/** `?archived=1`; `0` is as good as nothing. */
export function flagOf(query: URLSearchParams, name: string): boolean | undefined {
  const given = wordOf(query, name, ["0", "1"]);
  return given === undefined ? undefined : given === "1";
}

/** A text of a POST. */
export function fieldOf({ body }: Pick<Asked, "body">, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || typeof value === "string") return value;
  throw new RalphError("wrong-use", `${name} is a text`);
}

export function mustHave(asked: Pick<Asked, "body">, name: string): string {
  const value = fieldOf(asked, name)?.trim();
  if (value) return value;
  throw new RalphError("wrong-use", `${name} is missing`);
}
