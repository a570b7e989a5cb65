import type { ChosenTranscript } from "./choose-transcripts.js";
import type { ReadTranscript, Session } from "./session.js";

/** Reads a session with what its helpers did. */
export function readSession(
  { main, helpers }: ChosenTranscript,
  now: Date,
  seen?: Set<string>,
): ReadTranscript {
  const read = main.read(now, seen);
  if (helpers.length === 0) return read;
  const unknown = new Map(read.unknown);
  let { unreadable, isCutShort } = read;
  for (const helper of helpers) {
    const other = helper.read(now, seen);
    attach(read.session, other.session);
    for (const [type, count] of other.unknown) unknown.set(type, (unknown.get(type) ?? 0) + count);
    unreadable += other.unreadable;
    isCutShort ||= other.isCutShort;
  }
  for (const turn of read.session.turns)
    turn.actions.sort((one, other) =>
      one.timestamp === other.timestamp ? 0 : one.timestamp < other.timestamp ? -1 : 1,
    );
  return { session: { ...read.session, subagents: helpers.length }, unknown, unreadable, isCutShort };
}

/** A helper's actions belong to the turn in which they happened. */
function attach({ turns }: Session, helper: Session): void {
  for (const action of helper.turns.flatMap(({ actions }) => actions)) {
    const turn = turns.findLast(({ started }) => started <= action.timestamp) ?? turns[0];
    if (turn === undefined) continue;
    turn.actions.push(action);
    if (turn.ended < action.timestamp) turn.ended = action.timestamp;
  }
}
