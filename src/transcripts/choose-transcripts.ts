import type { ReadTranscript, Session, Transcript } from "./session.js";

/** A session with those of its subagents. */
export interface ChosenTranscript {
  main: Transcript;
  helpers: Transcript[];
}

export interface ChosenTranscripts {
  /** In the order of their start. */
  chosen: ChosenTranscript[];
  /** Sessions of other projects. */
  elsewhere: number;
  /** Sessions not changed since the given time. */
  older: number;
  /** Sessions that are probably still being written. */
  busy: Transcript[];
  /** Subagents whose parent session was not found. */
  orphans: number;
}

export interface Choice {
  now: Date;
  since?: string | undefined;
  /** They may be copies, whose mtime says nothing about the session. */
  mayBeCopies?: boolean | undefined;
  belongs(cwd: string): boolean;
}

/** A session without changes for this long is over, or waits for its user. */
export const quietMs = 10 * 60 * 1000;

export function chooseTranscripts(
  transcripts: readonly Transcript[],
  { now, since, mayBeCopies = false, belongs }: Choice,
): ChosenTranscripts {
  const byId = new Map<string, Transcript>();
  for (const transcript of transcripts) {
    const key = keyOf(transcript.agent, transcript.id);
    const known = byId.get(key);
    // Of two copies, the longer one is newer.
    if (known === undefined || known.bytes < transcript.bytes) byId.set(key, transcript);
  }
  const helpersOf = new Map<string, Transcript[]>();
  const found: ChosenTranscripts = { chosen: [], elsewhere: 0, older: 0, busy: [], orphans: 0 };
  for (const transcript of byId.values()) {
    if (transcript.parent === undefined) continue;
    const root = rootOf(transcript, byId);
    const helpers = root === undefined ? undefined : helpersOf.get(root);
    if (root === undefined) found.orphans += 1;
    else if (helpers === undefined) helpersOf.set(root, [transcript]);
    else helpers.push(transcript);
  }
  for (const [key, main] of byId) {
    if (main.parent !== undefined) continue;
    const helpers = helpersOf.get(key) ?? [];
    const modifiedMs = Math.max(main.modifiedMs, ...helpers.map((helper) => helper.modifiedMs));
    if (!belongs(main.cwd)) found.elsewhere += 1;
    else if (since !== undefined && modifiedMs < Date.parse(since)) found.older += 1;
    else if (!mayBeCopies && now.getTime() - modifiedMs < quietMs) found.busy.push(main);
    else found.chosen.push({ main, helpers });
  }
  found.chosen.sort(byStart);
  return found;
}

/** A forked session starts with the original and ends later. */
function byStart({ main: one }: ChosenTranscript, { main: other }: ChosenTranscript): number {
  if (one.started !== other.started) return one.started < other.started ? -1 : 1;
  return one.modifiedMs - other.modifiedMs;
}

function keyOf(agent: string, id: string): string {
  return `${agent} ${id}`;
}

/** Subagents start subagents. */
function rootOf(transcript: Transcript, byId: ReadonlyMap<string, Transcript>): string | undefined {
  const seen = new Set<Transcript>();
  let current = transcript;
  while (current.parent !== undefined) {
    const parent = byId.get(keyOf(current.agent, current.parent));
    if (parent === undefined || seen.has(parent)) return undefined;
    seen.add(parent);
    current = parent;
  }
  return keyOf(current.agent, current.id);
}

/** Reads a session with the work of its subagents. */
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

/** A subagent's actions belong to the turn in which they happened. */
function attach({ turns }: Session, helper: Session): void {
  for (const action of helper.turns.flatMap(({ actions }) => actions)) {
    const turn = turns.findLast(({ started }) => started <= action.timestamp) ?? turns[0];
    if (turn === undefined) continue;
    turn.actions.push(action);
    if (turn.ended < action.timestamp) turn.ended = action.timestamp;
  }
}
