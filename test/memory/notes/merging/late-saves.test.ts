import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeNotes } from "../../../../src/memory/notes/merging/merge-notes.js";
import {
  type Branches,
  editedBranches,
  kindsByHand,
  notesOf,
  proseIn,
  rawNotes,
} from "../../../notes/merging/edited-branches.js";
import { lostLines } from "../../../notes/merging/lost-lines.js";
import { notesFileBytes } from "../../../notes/notes-file-arbitrary.js";

const merge = (base: Buffer | undefined, theirs: Buffer, ours: Buffer) => {
  let count = 0;
  const random = () => (count++).toString(16).padStart(4, "0");
  return mergeNotes({ clock: () => new Date("2026-03-04T00:00:00Z"), random }, base, theirs, ours);
};

const lateSaves = editedBranches(2, kindsByHand).map(({ base, branches }: Branches) => {
  const [theirs = base, ours = base] = branches;
  return { base, theirs, ours };
});

type FoundNote = NonNullable<ReturnType<ReturnType<typeof rawNotes>["get"]>>;

const rawOf = ({ raw }: FoundNote) => raw.replaceAll("\r", "");
const isSame = (some: FoundNote, other: FoundNote) =>
  some.note.type === other.note.type && rawOf(some) === rawOf(other);

/** Their change if they made one, else ours. */
function chosen<Value>(was: Value | undefined, their: Value, our: Value): Value {
  return their === was ? our : their;
}

/** What has become of a note, and what stands beside it under another id. */
function expectNote(
  found: FoundNote | undefined,
  copies: readonly string[],
  { was, their, our }: { was: FoundNote | undefined; their?: FoundNote; our?: FoundNote },
): void {
  const left = their ?? our;
  if (left === undefined) return;
  if (their === undefined || our === undefined) {
    const isGone = was !== undefined && isSame(was, left);
    expect(found && [found.note.type, rawOf(found)]).toEqual(
      isGone ? undefined : [left.note.type, rawOf(left)],
    );
    return;
  }
  const [old, theirs, ours] = [was?.note, their.note, our.note];
  expect(found?.note.type).toBe(chosen(old?.type, theirs.type, ours.type));
  expect(found?.note.content).toBe(chosen(old?.content, theirs.content, ours.content));
  const areBothNew = new Set([old?.content, theirs.content, ours.content]).size === 3;
  if (areBothNew) expect(copies).toContain(ours.content);
  const isAdded = (tag: string) => !old?.tags.includes(tag);
  expect(found?.note.tags).toEqual(expect.arrayContaining([...theirs.tags, ...ours.tags].filter(isAdded)));
  if (was !== undefined && [their, our].some((each) => rawOf(each) === rawOf(was)))
    expect(found && rawOf(found)).toBe(chosen(rawOf(was), rawOf(their), rawOf(our)));
}

describe("merging a save that comes late", () => {
  it("loses no note, no edit, no move and no line of prose in 300 random saves", () => {
    fc.assert(
      fc.property(lateSaves, ({ base, theirs, ours }) => {
        const bytes = merge(base, theirs, ours);
        const merged = rawNotes(bytes);
        const [old, their, our] = [rawNotes(base), rawNotes(theirs), rawNotes(ours)];
        expect(notesOf(bytes).repeated).toEqual([]);
        const copies = [...merged].filter(([id]) => !their.has(id) && !our.has(id));
        const contents = copies.map(([, { note }]) => note.content);
        for (const id of new Set([...their.keys(), ...our.keys()])) {
          const [was, t, o] = [old.get(id), their.get(id), our.get(id)];
          expectNote(merged.get(id), contents, { was, ...(t && { their: t }), ...(o && { our: o }) });
        }
        const [oldProse, theirProse, ourProse] = [base, theirs, ours].map((each) => new Set(proseIn(each)));
        const prose = [...new Set([...(theirProse ?? []), ...(ourProse ?? [])])].filter(
          (line) => !oldProse?.has(line) || (theirProse?.has(line) && ourProse?.has(line)),
        );
        expect(proseIn(bytes).toSorted()).toEqual(prose.toSorted());
      }),
      { numRuns: 300 },
    );
  });

  it("gives the same file when done twice", () => {
    fc.assert(
      fc.property(lateSaves, ({ base, theirs, ours }) => {
        const merged = merge(base, theirs, ours);
        expect(merge(base, theirs, merged).toString()).toBe(merged.toString());
      }),
      { numRuns: 300 },
    );
  });

  it("gives their bytes where we changed nothing, and ours where they did not", () => {
    fc.assert(
      fc.property(lateSaves, ({ base, theirs }) => {
        expect(merge(base, theirs, base).toString()).toBe(theirs.toString());
        expect(merge(base, base, theirs).toString()).toBe(theirs.toString());
        expect(merge(base, theirs, theirs).toString()).toBe(theirs.toString());
      }),
      { numRuns: 200 },
    );
  });

  it("gives the same file when done twice, with every new line, whatever the files are", () => {
    const anyBase = fc.option(notesFileBytes, { nil: undefined });
    fc.assert(
      fc.property(anyBase, notesFileBytes, notesFileBytes, (base, theirs, ours) => {
        const merged = merge(base, theirs, ours);
        expect(merge(base, theirs, merged).toString("latin1")).toBe(merged.toString("latin1"));
        expect(lostLines(base, [theirs, ours], merged)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
