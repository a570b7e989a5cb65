import { sha256 } from "../../domain/sha256.js";

const longestId = 400;

/** The index of a database takes no longer ones. */
export function shortId(id: string): string {
  return id.length <= longestId ? id : `${id.slice(0, 300)}…${sha256(id)}`;
}
