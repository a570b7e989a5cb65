import { chooseUnits } from "./choose-units.js";

/** A part of a file that stays, moves or goes as a whole: a line, or several that belong together. */
export interface Unit {
  /** Equal in two versions of a file for what is the same. */
  key: string;
  /** The blank lines above it. */
  lead: string;
  text: string;
}

/** A unit of the result, with the index of the one that it is in each version. */
export interface WovenUnit {
  lead: string;
  text: string;
  theirs: number | undefined;
  ours: number | undefined;
}

/**
 * Brings what `theirs` changed since `base` into `ours`: of units that are the same, either theirs stand where they have
 * them, or ours where we have them. Additions of both stay, theirs below ours where they meet, in the same section. Without
 * a base everything counts as added.
 *
 * Merging twice changes nothing, since theirs are put into what is left of ours without them, and of the result the same is
 * left. Only of equal lines that both added, those that theirs are put between may change places once more.
 */
export function weaveUnits(
  base: readonly Unit[] | undefined,
  theirs: readonly Unit[],
  ours: readonly Unit[],
): WovenUnit[] {
  const places = { base: placesOf(base ?? []), ours: placesOf(ours) };
  const choices = chooseUnits(base ?? [], theirs, ours);
  /** By the index of our unit that they are added below. */
  const added = new Map<number, WovenUnit[]>([[-1, []]]);
  const both = new Map<number, WovenUnit>();
  let above = -1;
  for (const [key, ordinal, index] of numbered(theirs)) {
    const [their, choice] = [theirs[index], choices.of(key)];
    const our = places.ours.get(key)?.[ordinal];
    if (their === undefined) continue;
    const isTheirs = choice === "theirs";
    if (isTheirs || (choice === "ours and new" && choices.isNew(index)))
      added
        .get(above)
        ?.push({ lead: their.lead, text: their.text, theirs: index, ours: isTheirs ? our : undefined });
    else if (choice === "both" && our !== undefined) {
      const was = base?.[places.base.get(key)?.[ordinal] ?? -1];
      both.set(our, { ...joined(was, their, ours[our] ?? their), theirs: index, ours: our });
      added.set(our, []);
      above = our;
    }
  }
  const woven: WovenUnit[] = [];
  let waiting = added.get(-1) ?? [];
  const addWaiting = () => {
    // Not as arguments of one call: there may be more lines than the stack has room for.
    for (const unit of waiting) woven.push(unit);
    waiting = [];
  };
  for (const [index, { key, lead, text }] of ours.entries()) {
    if (choices.of(key) === "theirs") continue;
    if (both.has(index) || heading.test(key)) addWaiting();
    woven.push(both.get(index) ?? { lead, text, theirs: undefined, ours: index });
    waiting = added.get(index) ?? waiting;
  }
  addWaiting();
  return woven;
}

const heading = /^#{1,6}[ \t]/;

function placesOf(units: readonly Unit[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, { key }] of units.entries()) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
  }
  return places;
}

/** Units with how many of the same are above them. */
export function* numbered(
  units: readonly Pick<Unit, "key">[],
): Generator<[key: string, ordinal: number, index: number]> {
  const counts = new Map<string, number>();
  for (const [index, { key }] of units.entries()) {
    const ordinal = counts.get(key) ?? 0;
    counts.set(key, ordinal + 1);
    yield [key, ordinal, index];
  }
}

/** What they changed of the blank lines above, and of line ends; else ours. */
function joined(base: Unit | undefined, theirs: Unit, ours: Unit): Pick<Unit, "lead" | "text"> {
  if (base === undefined) return ours;
  return {
    lead: theirs.lead === base.lead ? ours.lead : theirs.lead,
    text: theirs.text === base.text ? ours.text : theirs.text,
  };
}
