import { dayMs } from "../clock.js";

/** Returns four hexadecimal digits; tests pass their own. */
export type RandomHex = () => string;

export const randomHex: RandomHex = () =>
  Math.floor(Math.random() * 0x10000)
    .toString(16)
    .padStart(4, "0");

/** `mem-<unix seconds>-<4 hex digits>`; a clock before 1970 counts as its start, since an id has no sign. */
export function newNoteId(time: Date, random: RandomHex): string {
  return `mem-${Math.max(0, Math.floor(time.getTime() / 1000))}-${random()}`;
}

/** The creation time in an id, if there is one. */
export function timeOfNoteId(id: string): Date | undefined {
  const seconds = /^mem-(\d{9,11})-/.exec(id)?.[1];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000);
}

/** When a note was created: the time in its id if that matches its date in some time zone, else the date. */
export function timeOfNote(note: { id: string; created: string }): number {
  const fromDate = Date.parse(`${note.created}T00:00:00Z`);
  const fromId = timeOfNoteId(note.id)?.getTime();
  const isSameDay = fromId !== undefined && fromId >= fromDate - dayMs && fromId < fromDate + 2 * dayMs;
  if (isSameDay) return fromId;
  return Number.isNaN(fromDate) ? 0 : fromDate;
}

/** `learn-` and twelve hexadecimal digits. */
export function newLearningId(random: RandomHex): string {
  return `learn-${random()}${random()}${random()}`;
}

export function isLearningId(id: string): boolean {
  return /^learn-[0-9a-f]+$/.test(id);
}
