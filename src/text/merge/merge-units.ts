import { matchUnits } from "./match-units.js";

/** A part of a file that is kept, changed or removed as a whole: a line, or a record of several lines. */
export interface Unit {
  /** Equal in two versions of a file for what is the same thing: the text of a line, the id of a record. */
  key: string;
  text: string;
  /** A record has a key of its own, so its text can change; there is one of each in a file. */
  isRecord: boolean;
}

export interface MergeOptions {
  /** Both have changed this record: what follows theirs, so that ours is not lost. */
  keepOurs(ours: Unit): Unit[];
}

/**
 * Brings what `theirs` changed since `base` into `ours`. Additions of both stay, theirs below ours where they meet; what one
 * removed is gone unless the other changed it. Without a base everything counts as added. Merging twice changes nothing.
 */
export function mergeUnits(
  base: readonly Unit[] | undefined,
  theirs: readonly Unit[],
  ours: readonly Unit[],
  options: MergeOptions,
): Unit[] {
  const common = base ?? inBoth(theirs, ours);
  const keys = common.map(keyOf);
  const toTheirs = matchUnits(keys, theirs.map(keyOf));
  const toOurs = matchUnits(keys, ours.map(keyOf));
  const merged: Unit[] = [];
  let [from, fromTheirs, fromOurs] = [0, 0, 0];
  const mergeUpTo = (to: number, toTheir: number, toOur: number) => {
    const [b, t, o] = [
      common.slice(from, to),
      theirs.slice(fromTheirs, toTheir),
      ours.slice(fromOurs, toOur),
    ];
    // Not as arguments of one call: there may be more lines than the stack has room for.
    for (const unit of mergeBetween(b, t, o, options)) merged.push(unit);
    [from, fromTheirs, fromOurs] = [to + 1, toTheir + 1, toOur + 1];
  };
  for (const [index, unit] of common.entries()) {
    const [their, our] = [theirs[toTheirs[index] ?? -1], ours[toOurs[index] ?? -1]];
    if (their === undefined || our === undefined) continue;
    mergeUpTo(index, toTheirs[index] ?? 0, toOurs[index] ?? 0);
    merged.push(...mergeUnit(unit, their, our, options));
  }
  mergeUpTo(common.length, theirs.length, ours.length);
  return withoutSecondRecords(merged, { common, theirs }, options);
}

const keyOf = ({ key }: Unit) => key;

function inBoth(theirs: readonly Unit[], ours: readonly Unit[]): Unit[] {
  const matches = matchUnits(theirs.map(keyOf), ours.map(keyOf));
  return theirs.filter((_, index) => matches[index] !== -1);
}

function mergeUnit(base: Unit | undefined, theirs: Unit, ours: Unit, { keepOurs }: MergeOptions): Unit[] {
  if (theirs.text === base?.text) return [ours];
  if (ours.text === base?.text || ours.text === theirs.text || !ours.isRecord) return [theirs];
  return [theirs, ...keepOurs(ours)];
}

/** Merges what stands between two units that all versions have. */
function mergeBetween(
  base: readonly Unit[],
  theirs: readonly Unit[],
  ours: readonly Unit[],
  options: MergeOptions,
): Unit[] {
  if (isSame(base, theirs)) return [...ours];
  if (isSame(base, ours) || isSame(theirs, ours)) return [...theirs];
  const [inBase, inTheirs] = [countKeys(base), countKeys(theirs)];
  const merged: Unit[] = [];
  const taken = new Set<Unit>();
  for (const unit of ours) {
    const was = take(inBase, unit.key);
    const their = take(inTheirs, unit.key);
    const isBoth = their !== undefined && (was !== undefined || unit.isRecord);
    if (isBoth) {
      taken.add(their);
      merged.push(...mergeUnit(was, their, unit, options));
    } else if (was === undefined || was.text !== unit.text) merged.push(unit);
  }
  return [...merged, ...addedBy(theirs, { base, ours, taken })];
}

/** What they added here and is not there already, and what they changed although we removed it. */
function addedBy(
  theirs: readonly Unit[],
  { base, ours, taken }: { base: readonly Unit[]; ours: readonly Unit[]; taken: ReadonlySet<Unit> },
): Unit[] {
  const inBase = countKeys(base);
  const added = theirs.filter((unit) => {
    const was = take(inBase, unit.key);
    return !taken.has(unit) && (was === undefined || (unit.isRecord && was.text !== unit.text));
  });
  const matches = matchUnits(added.map(keyOf), ours.map(keyOf));
  let isNew = false;
  // From the end, because a blank line belongs to what is below it.
  return added
    .map((unit, index) => ({ unit, isMatched: matches[index] !== -1 }))
    .reverse()
    .filter(({ unit, isMatched }) => {
      if (unit.key.trim() !== "") isNew = !isMatched;
      return isNew;
    })
    .map(({ unit }) => unit)
    .reverse();
}

function isSame(some: readonly Unit[], others: readonly Unit[]): boolean {
  return some.length === others.length && some.every((unit, index) => unit.text === others[index]?.text);
}

function countKeys(units: readonly Unit[]): Map<string, Unit[]> {
  const counted = new Map<string, Unit[]>();
  for (const unit of [...units].reverse()) {
    const same = counted.get(unit.key);
    if (same === undefined) counted.set(unit.key, [unit]);
    else same.push(unit);
  }
  return counted;
}

function take(units: Map<string, Unit[]>, key: string): Unit | undefined {
  return units.get(key)?.pop();
}

/** A record that one moved and the other changed stands twice: the changed one stays, or both do. */
function withoutSecondRecords(
  merged: readonly Unit[],
  { common, theirs }: { common: readonly Unit[]; theirs: readonly Unit[] },
  { keepOurs }: MergeOptions,
): Unit[] {
  const textIn = (units: readonly Unit[]) =>
    new Map(units.filter(({ isRecord }) => isRecord).map(({ key, text }) => [key, text]));
  const [baseTexts, theirTexts] = [textIn(common), textIn(theirs)];
  const kept = new Map<string, Unit>();
  const replaced = new Map<Unit, Unit[]>();
  for (const unit of merged) {
    const first = unit.isRecord ? kept.get(unit.key) : undefined;
    if (first === undefined) {
      if (unit.isRecord) kept.set(unit.key, unit);
      continue;
    }
    const isPlain = ({ key, text }: Unit) => text === baseTexts.get(key);
    if (first.text === unit.text || isPlain(unit)) replaced.set(unit, []);
    else if (isPlain(first)) replaced.set(first, []);
    else {
      const ours = first.text === theirTexts.get(unit.key) ? unit : first;
      replaced.set(ours, keepOurs(ours));
    }
    if (replaced.has(first)) kept.set(unit.key, unit);
  }
  return replaced.size === 0 ? [...merged] : merged.flatMap((unit) => replaced.get(unit) ?? [unit]);
}
