import { isoDate } from "../../../domain/clock.js";
import { newNoteId } from "../../../domain/knowledge/note-id.js";
import { type NotesDocument, parseNotes } from "../../../notes/parse.js";
import { joinUnits, linesAsUnits } from "../../../text/merge/lines-as-units.js";
import { mergeUnits, type Unit } from "../../../text/merge/merge-units.js";
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
  const today = isoDate(clock());
  const versions = [theirs, ours].map((bytes) => unitsOf(bytes, today));
  const [theirUnits = [], ourUnits = []] = versions;
  const taken = new Set(versions.flat().map(({ key }) => key));
  const unusedId = (): string => {
    for (let now = clock().getTime(); ; now += 1000) {
      const id = newNoteId(new Date(now), random);
      if (!taken.has(keyOf(id))) {
        taken.add(keyOf(id));
        return id;
      }
    }
  };
  const keepOurs = (note: Unit): Unit[] => {
    const id = unusedId();
    const lineEnd = note.text.includes("\r\n") ? "\r\n" : "\n";
    const text = note.text.replace(/^###[ \t]+mem-\S*/, `### ${id}`);
    return [linesAsUnits(lineEnd)[0] ?? note, { key: keyOf(id), text, isRecord: true }];
  };
  const merged = mergeUnits(base && unitsOf(base, today), theirUnits, ourUnits, { keepOurs });
  return Buffer.from(joinUnits(merged), "latin1");
}

const keyOf = (id: string) => `### ${id}`;

/** Its lines, and each note as one record with whatever somebody wrote between its lines. */
function unitsOf(bytes: Buffer, today: string): Unit[] {
  const text = (start: number, end?: number) => bytes.toString("latin1", start, end);
  const units: Unit[] = [];
  let position = 0;
  for (const { note, heading, content, metadata, ownComments } of blocksOf(bytes, today)) {
    const ranges = [heading, ...content, ...(metadata ? [metadata] : []), ...ownComments];
    const end = ranges.reduce((last, range) => Math.max(last, range.end), 0);
    // Not as arguments of one call: there may be more lines than the stack has room for.
    for (const unit of linesAsUnits(text(position, heading.start))) units.push(unit);
    units.push({ key: keyOf(note.id), text: text(heading.start, end), isRecord: true });
    position = end;
  }
  return [...units, ...linesAsUnits(text(position))];
}

/** A file with conflict markers is merged line by line; the next command says what to do about them. */
function blocksOf(bytes: Buffer, today: string): NotesDocument["blocks"] {
  const { blocks, conflicts } = parseNotes(bytes, { today });
  return conflicts.length > 0 ? [] : blocks;
}
