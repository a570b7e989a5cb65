import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../domain/shape.js";

/**
 * An original with what changed between two renderings of its record. Fields that the renderings do not know, the order of
 * keys and the spelling of what did not change stay as they are.
 */
export function patchOriginal(original: unknown, before: unknown, after: unknown): unknown {
  if (isDeepStrictEqual(before, after)) return original;
  if (isObject(original) && isObject(before) && isObject(after)) return patchObject(original, before, after);
  if (Array.isArray(original) && Array.isArray(before) && Array.isArray(after))
    return patchList(original, before, after);
  return after;
}

type Fields = Record<string, unknown>;

function patchObject(original: Fields, before: Fields, after: Fields): Fields {
  const patched: Fields = {};
  for (const [name, value] of Object.entries(original)) {
    const isRemoved = after[name] === undefined && before[name] !== undefined;
    if (!isRemoved) patched[name] = patchOriginal(value, before[name], after[name]);
  }
  for (const [name, value] of Object.entries(after))
    if (!Object.hasOwn(patched, name) && value !== undefined && !isDeepStrictEqual(value, before[name]))
      patched[name] = value;
  return patched;
}

/** Items are matched by their ids, or else by their places. */
function patchList(original: unknown[], before: unknown[], after: unknown[]): unknown[] {
  // The rendering left something out: places say nothing.
  if (original.length !== before.length && !before.every(hasId)) return after;
  return after.map((item, index) => {
    const at = hasId(item) ? before.findIndex((each) => hasId(each) && each.id === item.id) : index;
    const own = hasId(item) ? original.findIndex((each) => hasId(each) && each.id === item.id) : index;
    return at >= 0 && own >= 0 && at < before.length && own < original.length
      ? patchOriginal(original[own], before[at], item)
      : item;
  });
}

function hasId(value: unknown): value is { id: unknown } {
  return isObject(value) && value.id !== undefined;
}
