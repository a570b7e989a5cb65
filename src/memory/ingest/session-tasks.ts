import { sessionTaskUuid } from "../../domain/tasks/task.js";
import { followTopic, topicOfAction } from "../../episodic/tasks/follow-topic.js";
import type { Session, Turn } from "../../transcripts/session.js";

/** The part of a session with one objective. */
export interface SessionTask {
  uuid: string;
  objective: string;
  turns: Turn[];
}

/** What is already recorded of a session, by hooks or from its transcript. */
export interface RecordedPart {
  /** The number of its tasks. */
  tasks: number;
  /** The last one of them. */
  last: { description: string; created: string };
  /** When the last attempt at one of them ended. */
  until: string;
}

/**
 * A session is one task until a prompt is clearly about something else than earlier prompts, messages and actions. Mere conversation is no
 * task. The split does not depend on later turns, which may not be written yet. If the session continued since it was recorded, returns
 * only the later part, starting with the continuation of its last task.
 */
export function tasksOfSession({ agent, id, turns }: Session, recorded?: RecordedPart): SessionTask[] {
  const tasks: Omit<SessionTask, "uuid">[] = [];
  const [firstIndex, known] = recorded === undefined ? [0, 0] : [recorded.tasks - 1, 1];
  let topic = followTopic("");
  const begin = (objective: string, own: Turn[]) => {
    const last = tasks.at(-1);
    if (last !== undefined && tasks.length > known && isOnlyTalk(last)) tasks.pop();
    tasks.push({ objective, turns: own });
    topic = followTopic(objective);
  };
  const addToTopic = ({ prompt, said, actions }: Turn) =>
    topic.add(() => [prompt, said, ...actions.map(topicOfAction)]);
  if (recorded !== undefined) {
    const { description, created } = recorded.last;
    begin(description, []);
    for (const turn of turns) if (turn.started >= created && turn.started <= recorded.until) addToTopic(turn);
  }
  for (const turn of recorded === undefined ? turns : turnsAfter(turns, recorded.until)) {
    const task = tasks.at(-1);
    const isKnown = recorded !== undefined && turn.started <= recorded.until;
    if (task === undefined || (!isKnown && topic.isLeftBy(turn.prompt))) begin(turn.prompt, [turn]);
    else task.turns.push(turn);
    addToTopic(turn);
  }
  return tasks
    .map((task, index) => ({ ...task, uuid: sessionTaskUuid(agent, id, firstIndex + index) }))
    .filter((task) => !isOnlyTalk(task));
}

/** Whether no tool was used. */
export function isOnlyTalk({ turns }: Pick<Session, "turns">): boolean {
  return turns.every(({ actions }) => actions.length === 0);
}

/** The turns of a task after a time: what was appended to a session since it was recorded. */
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
