import { dayMs } from "../../domain/clock.js";
import type { NoteType, StoredNote } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { NoteFilter, NoteScope } from "../../store/repositories/notes/note-rows.js";
import { type StoreContext, toStoredNote } from "../project/place.js";
import { checkType } from "./note-input.js";
import { resolveNote, syncNotes } from "./sync-notes.js";

export interface NoteSelection {
  types?: readonly NoteType[] | undefined;
  /** Notes with any of these tags. */
  tags?: readonly string[] | undefined;
  /** Only notes of the last days; 0 for all. */
  recentDays?: number | undefined;
  /** Only notes since then, an ISO timestamp; notes have dates, so that whole day counts. */
  since?: string | undefined;
}

export interface NoteListing extends NoteSelection {
  limit?: number | undefined;
  /** How many to skip. */
  offset?: number | undefined;
}

/** Newest first. */
export async function listNotes(
  context: StoreContext,
  { limit, offset, ...selection }: NoteListing,
): Promise<StoredNote[]> {
  const fileIds = await syncNotes(context);
  const rows = await context.store.notes.list(noteFilter(context, fileIds, selection), limit, offset);
  return rows.map((row) => toStoredNote(row, fileIds, context.place));
}

export async function countNotes(
  context: StoreContext,
  selection: NoteSelection,
): Promise<Partial<Record<NoteType, number>>> {
  const fileIds = await syncNotes(context);
  return Object.fromEntries(await context.store.notes.countByType(noteFilter(context, fileIds, selection)));
}

export async function getNote(context: StoreContext, idOrPrefix: string): Promise<StoredNote> {
  const fileIds = await syncNotes(context);
  return toStoredNote(await resolveNote(context.store, fileIds, idOrPrefix), fileIds, context.place);
}

export function noteFilter(
  context: StoreContext,
  scope: NoteScope,
  { types, tags, ...times }: NoteSelection,
): NoteFilter {
  const since = earliestTime(context, times);
  return {
    scope,
    ...(types && { types: types.map(checkType) }),
    ...(tags && { tags: checkTagChoice(tags) }),
    ...(since !== undefined && { since }),
  };
}

const maxTags = 100;
const maxTagLength = 1000;

/** The database accepts no more. */
export function checkTagChoice(tags: readonly string[]): readonly string[] {
  if (tags.length <= maxTags && tags.every(({ length }) => length <= maxTagLength)) return tags;
  throw new RalphError("wrong-use", `At most ${maxTags} tags of ${maxTagLength} characters can be chosen`);
}

/** In milliseconds. Notes have dates, not times, so whole days count. */
export function earliestTime(
  { clock }: StoreContext,
  { recentDays, since }: Pick<NoteSelection, "recentDays" | "since">,
): number | undefined {
  const startOfDay = (time: number) => Math.floor(time / dayMs) * dayMs;
  const times = [
    ...(recentDays ? [startOfDay(clock().getTime()) - recentDays * dayMs] : []),
    ...(since === undefined ? [] : [startOfDay(Date.parse(since))]),
  ];
  return times.length === 0 ? undefined : Math.max(...times);
}
