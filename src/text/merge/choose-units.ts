import { matchUnits } from "./match-units.js";
import type { Unit } from "./weave-units.js";

/**
 * Whose units stay of those that are the same: theirs where they have them; ours; ours, which are theirs; or ours, and those
 * that they added.
 */
export type Choice = "theirs" | "ours" | "both" | "ours and new";

export interface Choices {
  of(key: string): Choice;
  /** Whether their unit is not where the base has one. */
  isNew(index: number): boolean;
}

/**
 * Chooses by how often the same unit is in each version: of equal lines nobody can tell which one was removed. What a choice
 * leads to, leads to the same again.
 */
export function chooseUnits(base: readonly Unit[], theirs: readonly Unit[], ours: readonly Unit[]): Choices {
  const matches = matchUnits(base.map(keyOf), theirs.map(keyOf));
  const moved = new Set(base.map(keyOf).filter((_, index) => matches[index] === -1));
  const matched = new Set(matches);
  const isNew = (index: number) => !matched.has(index);
  const [inBase, inTheirs, inOurs] = [countKeys(base), countKeys(theirs), countKeys(ours)];
  const countsOf = (key: string) => ({
    b: inBase.get(key) ?? 0,
    t: inTheirs.get(key) ?? 0,
    o: inOurs.get(key) ?? 0,
  });
  const isUnchanged = (key: string) => {
    const { b, t, o } = countsOf(key);
    return b > 0 && t === b && o === b && !moved.has(key);
  };
  const missing = findMissing(theirs, ours, { isUnchanged, isNew });
  return {
    isNew,
    of(key) {
      const { b, t, o } = countsOf(key);
      if (t > b) {
        if (missing.has(key)) return o > b ? "ours and new" : "theirs";
        if (t === 1 && o === 1) return "both";
        return o <= t ? "theirs" : "ours";
      }
      if (t < b) return t <= o && o <= b ? "theirs" : "ours";
      if (o !== b) return "ours";
      return moved.has(key) ? "theirs" : "both";
    },
  };
}

function keyOf({ key }: Unit): string {
  return key;
}

function countKeys(units: readonly Unit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of units) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The keys of new units of theirs that we do not have below the same unchanged unit. */
function findMissing(
  theirs: readonly Unit[],
  ours: readonly Unit[],
  { isUnchanged, isNew }: { isUnchanged(key: string): boolean; isNew(index: number): boolean },
): Set<string> {
  const left = new Map<string, number>();
  for (const place of placesIn(ours, isUnchanged)) left.set(place, (left.get(place) ?? 0) + 1);
  const missing = new Set<string>();
  for (const [index, place] of placesIn(theirs, isUnchanged).entries()) {
    if (!isNew(index)) continue;
    const count = left.get(place) ?? 0;
    left.set(place, count - 1);
    if (count < 1) missing.add(theirs[index]?.key ?? "");
  }
  return missing;
}

/** For each unit, what it is and which unchanged one is above it. */
function placesIn(units: readonly Unit[], isUnchanged: (key: string) => boolean): string[] {
  const counts = new Map<string, number>();
  let above = "";
  return units.map(({ key }) => {
    const place = `${key}\n\n${above}`;
    if (isUnchanged(key)) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      above = `${counts.get(key)} ${key}`;
    }
    return place;
  });
}
