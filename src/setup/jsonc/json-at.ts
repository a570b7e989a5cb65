import { findMember, parseJsonc, plainValue } from "./parse-jsonc.js";

/** The object that keys lead to; an empty one if there is none. */
export function jsonAt(text: string, keys: readonly string[]): object {
  let node: ReturnType<typeof parseJsonc> | undefined = parseJsonc(text);
  for (const key of keys) node = findMember(node, key)?.value;
  return node?.kind === "object" ? (plainValue(node) as object) : {};
}
