import { isoDate } from "../../../domain/clock.js";
import { newNoteId } from "../../../domain/knowledge/record-ids.js";
import { mergeLateSave } from "../../../notes/merging/merge-late-save.js";
import { parseNotes } from "../../../notes/parse.js";
import type { Shelf } from "../../places/shelf.js";

/**
 * Brings what somebody changed in a notes file since `base` into ours. Of a note that both have changed theirs keeps the id,
 * and ours follows it under a new one.
 */
export function mergeNotes(
  { clock, random }: Pick<Shelf, "clock" | "random">,
  base: Buffer | undefined,
  theirs: Buffer,
  ours: Buffer,
): Buffer {
  let taken: Set<string> | undefined;
  const newId = (): string => {
    taken ??= new Set([theirs, ours].flatMap((bytes) => idsIn(bytes, isoDate(clock()))));
    for (let now = clock().getTime(); ; now += 1000) {
      const id = newNoteId(new Date(now), random);
      if (taken.has(id)) continue;
      taken.add(id);
      return id;
    }
  };
  return mergeLateSave({ base, ours, theirs }, newId);
}

function idsIn(bytes: Buffer, today: string): string[] {
  return parseNotes(bytes, { today }).blocks.map(({ note }) => note.id);
}
