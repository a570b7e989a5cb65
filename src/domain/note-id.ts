import { isoDate } from "./clock.js";

/** Four hexadecimal digits; tests hand in their own. */
export type RandomHex = () => string;

export const randomHex: RandomHex = () =>
  Math.floor(Math.random() * 0x10000)
    .toString(16)
    .padStart(4, "0");

/** `mem-<unix seconds>-<4 hex digits>`. */
export function newNoteId(time: Date, random: RandomHex): string {
  return `mem-${Math.floor(time.getTime() / 1000)}-${random()}`;
}

/** The creation time inside an id, when there is one. */
export function timeOfNoteId(id: string): Date | undefined {
  const seconds = /^mem-(\d{9,11})-/.exec(id)?.[1];
  return seconds === undefined ? undefined : new Date(Number(seconds) * 1000);
}

/** When a note was made, as exactly as is known: its id's time when that agrees with its date, else its date. */
export function timeOfNote(note: { id: string; created: string }): number {
  const fromId = timeOfNoteId(note.id);
  if (fromId !== undefined && isoDate(fromId) === note.created) return fromId.getTime();
  const fromDate = Date.parse(`${note.created}T00:00:00Z`);
  return Number.isNaN(fromDate) ? 0 : fromDate;
}
