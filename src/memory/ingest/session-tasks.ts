import { sessionTaskUuid } from "../../domain/tasks/session-uuid.js";
import type { Session, Turn } from "../../transcripts/session.js";
import { contentStems } from "../../words/content-stems.js";

/** The part of a session that is about one objective. */
export interface SessionTask {
  uuid: string;
  objective: string;
  turns: Turn[];
}

/** A prompt with fewer telling words is a remark. */
const minWords = 6;
const maxText = 20_000;
const shortest = 3;

/**
 * A session is one task. A prompt that is long enough to be an objective, and has no word in common with what was asked, said
 * and edited before, begins another one. What is decided does not depend on later turns, which may not be written yet.
 */
export function tasksOfSession({ agent, id, turns }: Session): SessionTask[] {
  const tasks: SessionTask[] = [];
  let known = new Set<string>();
  let unread: Turn[] = [];
  /** Most prompts are too short to begin a task, so that nothing has to be split into words. */
  const readWords = () => {
    for (const { prompt, said, actions } of unread)
      for (const text of [prompt, said, ...actions.map(wordsOfAction)])
        for (const word of stemsOf(text)) known.add(word);
    unread = [];
    return known;
  };
  for (const turn of turns) {
    const task = tasks.at(-1);
    if (task === undefined || isUnheardOf(turn.prompt, readWords)) {
      const uuid = sessionTaskUuid(agent, id, tasks.length);
      tasks.push({ uuid, objective: turn.prompt, turns: [turn] });
      known = new Set();
    } else task.turns.push(turn);
    unread.push(turn);
  }
  return tasks;
}

function isUnheardOf(prompt: string, readWords: () => ReadonlySet<string>): boolean {
  const words = stemsOf(prompt);
  if (words.length < minWords) return false;
  const known = readWords();
  return !words.some((word) => known.has(word));
}

function wordsOfAction({ params }: Turn["actions"][number]): string {
  return [params.command, params.file_path, params.path, params.pattern]
    .filter((value) => typeof value === "string")
    .join(" ");
}

function stemsOf(text: string): string[] {
  return contentStems(text.slice(0, maxText), { shortest });
}

/** What of a task happened after a time: what was appended to a session since it was recorded. */
export function turnsAfter(turns: readonly Turn[], time: string): Turn[] {
  const fromMs = Date.parse(time);
  return turns
    .filter(({ ended }) => Date.parse(ended) > fromMs)
    .map((turn) => ({
      ...turn,
      actions: turn.actions.filter(
        ({ timestamp, duration_ms: duration = 0 }) => Date.parse(timestamp) + duration > fromMs,
      ),
    }))
    .filter(
      ({ actions, started, said }) => actions.length > 0 || (Date.parse(started) > fromMs && said !== ""),
    );
}
