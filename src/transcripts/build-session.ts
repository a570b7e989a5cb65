import type { AgentAction } from "../agents/streams/agent-event.js";
import { type RunRecord, recordRun } from "../agents/streams/record-run.js";
import { readPrompt } from "../domain/tasks/agent-text.js";
import type { Turn } from "./session.js";

/** Builds a session from the rows of a transcript, in order. */
export interface SessionBuilder {
  /** Records what the agent said and which tools it called. */
  run: RunRecord;
  /** Sets the time of the next row. */
  at(time: unknown): void;
  /** Begins a turn if the text is a prompt. A slash command is dropped unless the agent acts on it. */
  prompt(text: string): void;
  /** Drops a call that was not permitted. */
  refuse(callId: string): void;
  interrupt(): void;
  countUnknown(type: string): void;
  finish(): BuiltSession;
}

export interface BuiltSession {
  turns: Turn[];
  started: string;
  ended: string;
  unknown: ReadonlyMap<string, number>;
}

interface OpenTurn extends Omit<Turn, "started" | "ended"> {
  startedMs: number;
  endedMs: number;
  isCommand: boolean;
}

const maxSaid = 64 * 1024;
const maxUnknownTypes = 100;
const maxTypeLength = 60;
const refused = "refused by the user";

/** Ignores times after `latestMs`, which are wrong; rows without a time have that of the previous row. */
export function buildSession(sessionId: string, latestMs: number): SessionBuilder {
  const turns: OpenTurn[] = [];
  const known = new Set<string>();
  const unknown = new Map<string, number>();
  /** Work before the first prompt. */
  const before = newTurn("", 0, false);
  let nowMs = 0;
  let startedMs: number | undefined;
  let endedMs = 0;
  let hasActed = false;

  const current = () => turns.at(-1) ?? before;

  function endTurn(): void {
    const turn = current();
    turn.endedMs = Math.max(turn.endedMs, nowMs);
    endedMs = Math.max(endedMs, nowMs);
  }

  const run = recordRun(
    (event) => {
      if (event.kind === "action") addAction(event.action);
      if (event.kind !== "text" || event.text.trim() === "") return;
      const turn = current();
      turn.said = hasActed || turn.said === "" ? event.text : `${turn.said}\n\n${event.text}`;
      if (turn.said.length > 2 * maxSaid) turn.said = turn.said.slice(-maxSaid);
      hasActed = false;
    },
    () => new Date(nowMs),
  );
  run.setSession(sessionId);

  /** Rows are repeated when a session is resumed. */
  function addAction(action: AgentAction): void {
    const key = action.idempotency_key ?? "";
    if (action.error === refused || known.has(key)) return;
    known.add(key);
    hasActed = true;
    current().actions.push(action);
  }

  return {
    run,
    at(time) {
      const ms = typeof time === "number" ? time : typeof time === "string" ? Date.parse(time) : Number.NaN;
      // The previous row belongs to the turn; this one may begin the next.
      endTurn();
      if (!(ms > 0 && ms <= latestMs)) return;
      nowMs = ms;
      startedMs = Math.min(startedMs ?? ms, ms);
    },
    prompt(text) {
      const given = readPrompt(text);
      if (given === undefined) return;
      const last = turns.at(-1);
      if (last?.prompt === given.text && last.actions.length === 0 && last.said === "") return;
      turns.push(newTurn(given.text, nowMs, given.isCommand));
      hasActed = false;
    },
    refuse: (id) => run.endTool(id, { isSuccess: false, error: refused }),
    interrupt() {
      current().isInterrupted = true;
    },
    countUnknown(type) {
      const name = type.length > maxTypeLength ? `${type.slice(0, maxTypeLength)}…` : type;
      const key = unknown.has(name) || unknown.size < maxUnknownTypes ? name : "others";
      unknown.set(key, (unknown.get(key) ?? 0) + 1);
    },
    finish() {
      endTurn();
      const kept = turns.filter(
        ({ isCommand, actions, said }) => !isCommand || actions.length > 0 || said !== "",
      );
      kept[0]?.actions.unshift(...before.actions);
      const iso = (ms: number) => new Date(ms).toISOString();
      const first = startedMs ?? latestMs;
      return {
        turns: (kept.length === 0 && before.actions.length > 0 ? [before] : kept).map(
          ({ startedMs: from, endedMs: to, isCommand: _isCommand, ...turn }) => ({
            ...turn,
            started: iso(from || first),
            ended: iso(Math.max(from, to) || first),
          }),
        ),
        started: iso(first),
        ended: iso(Math.max(first, endedMs)),
        unknown,
      };
    },
  };
}

function newTurn(prompt: string, ms: number, isCommand: boolean): OpenTurn {
  return { prompt, startedMs: ms, endedMs: ms, actions: [], said: "", isInterrupted: false, isCommand };
}
