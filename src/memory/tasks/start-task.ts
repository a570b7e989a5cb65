import type { Handoff } from "../../domain/working.js";
import {
  type StartAttemptInput,
  type StartedAttempt,
  startAttempt,
} from "../../episodic/attempts/start-attempt.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import { type InitTaskInput, initTask } from "../../episodic/tasks/init-task.js";
import type { Repositories, Store } from "../../store/store.js";
import { deliverHandoffs, handoffIntro } from "../../working/handoff.js";
import { recordRecall } from "../recall/recall.js";
import type { Recall, RecalledEntry } from "../recall/recall-input.js";

/** One line about a record, which the id refers to. */
export interface BriefEntry {
  id: string;
  summary: string;
}

/** What an agent should know before a task. */
export interface BeforeTask {
  /** The best learnings, notes and similar tasks. */
  relevant_patterns: BriefEntry[];
  avoid_these: BriefEntry[];
  applicable_skills: BriefEntry[];
}

const maxSummary = 240;

/** A recall as the three lists that agents get before a task. */
export function toBeforeTask({ best, entries }: Pick<Recall, "best" | "entries">): BeforeTask {
  const ofSection = (name: RecalledEntry["section"]) => entries.filter(({ section }) => section === name);
  return {
    relevant_patterns: best.filter(({ section }) => section !== "skills").map(toBriefEntry),
    avoid_these: ofSection("avoid").map(toBriefEntry),
    applicable_skills: ofSection("skills").map(toBriefEntry),
  };
}

function toBriefEntry({ id, statement }: RecalledEntry): BriefEntry {
  return { id, summary: statement.slice(0, maxSummary) };
}

export interface StartWithBriefInput extends StartAttemptInput {
  /** False if the runner adds the brief to its prompts itself. */
  hasBrief?: boolean | undefined;
}

export interface StartedWithBrief extends StartedAttempt {
  /** The handoffs at the start of the plan, accepted by its agent, oldest first. */
  handoffs?: Handoff[];
  /** The same as prompt text. */
  handoffTexts: string[];
  /** What other tasks taught that matters for this one. */
  before: BeforeTask;
}

/** Starts the next attempt; its plan begins with the handoffs its agent accepted, and the brief. */
export async function startWithBrief(
  context: EpisodicContext,
  taskId: string,
  input: StartAttemptInput,
  recalled: Recall | undefined,
): Promise<StartedWithBrief> {
  let handoffs: Handoff[] = [];
  let handoffTexts: string[] = [];
  const started = await startAttempt(context, taskId, input, async (tx, { agent, now }) => {
    if (agent !== undefined)
      handoffs = await deliverHandoffs(tx, await tx.handoffs.listUndelivered(agent), now);
    if (recalled !== undefined) await recordRecall(tx, recalled, now);
    const brief = recalled === undefined || recalled.text === "" ? "" : `${recalled.text}\n`;
    handoffTexts = handoffs.map(handoffIntro);
    return handoffTexts.map((text) => `${text}\n`).join("") + brief;
  });
  const before = toBeforeTask(recalled ?? { best: [], entries: [] });
  return { ...started, ...(handoffs.length > 0 && { handoffs }), handoffTexts, before };
}

/**
 * Records a task and starts its first attempt, both or neither, and returns its id. Several processes may begin the same
 * task at once: the later ones find it, with its attempt.
 */
export function beginTask(
  context: EpisodicContext,
  task: InitTaskInput & { uuid: string },
  start: StartAttemptInput,
): Promise<string> {
  return context.store.transaction(async (tx) => {
    const known = await tx.tasks.findByUuid(task.uuid);
    if (known !== undefined) return known.id;
    const inside = { ...context, store: within(context.store, tx) };
    const { id } = await initTask(inside, task);
    await startWithBrief(inside, id, start, undefined);
    return id;
  });
}

/** A store whose transactions are parts of this one. */
function within(store: Store, tx: Repositories): Store {
  return { ...store, ...tx, transaction: (work) => work(tx) };
}
