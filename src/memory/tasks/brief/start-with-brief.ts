import type { Handoff } from "../../../domain/working/handoff.js";
import {
  type StartAttemptInput,
  type StartedAttempt,
  startAttempt,
} from "../../../episodic/attempts/start-attempt.js";
import type { EpisodicContext } from "../../../episodic/episodic-context.js";
import type { Repositories } from "../../../store/store.js";
import type { Recall } from "../../recall/recall-input.js";
import { type BeforeTask, toBeforeTask } from "./before-task.js";
import { recordRecall } from "./record-recall.js";

export interface StartWithBriefInput extends StartAttemptInput {
  /** False where a runner puts what is remembered into its prompts itself. */
  hasBrief?: boolean | undefined;
}

export interface StartedWithBrief extends StartedAttempt {
  /** What its agent had accepted and the plan begins with, oldest first. */
  handoffs?: Handoff[];
  /** The same as text for a prompt. */
  handoffTexts: string[];
  /** What other tasks taught about this one. */
  before: BeforeTask;
}

/** Starts the next attempt of a task; handoffs that its agent accepted, and what is remembered, open the plan. */
export async function startWithBrief(
  context: EpisodicContext,
  taskId: string,
  input: StartAttemptInput,
  recalled: Recall | undefined,
): Promise<StartedWithBrief> {
  let handoffs: Handoff[] = [];
  let handoffTexts: string[] = [];
  const started = await startAttempt(context, taskId, input, async (tx, { agent, now }) => {
    if (recalled !== undefined) await recordRecall(tx, recalled, now);
    handoffs = agent === undefined ? [] : await deliver(tx, agent, now);
    const brief = recalled === undefined || recalled.text === "" ? "" : `${recalled.text}\n`;
    handoffTexts = await introductionsOf(handoffs);
    return handoffTexts.map((text) => `${text}\n`).join("") + brief;
  });
  const before = toBeforeTask(recalled ?? { best: [], entries: [] });
  return { ...started, ...(handoffs.length > 0 && { handoffs }), handoffTexts, before };
}

async function deliver(tx: Repositories, agent: string, now: string): Promise<Handoff[]> {
  if ((await tx.handoffs.listUndelivered(agent)).length === 0) return [];
  const { deliverHandoffs } = await import("../../../working/handoff-records.js");
  return deliverHandoffs(tx, agent, now);
}

async function introductionsOf(handoffs: readonly Handoff[]): Promise<string[]> {
  if (handoffs.length === 0) return [];
  const { handoffIntro } = await import("../../../working/render-handoff.js");
  return handoffs.map(handoffIntro);
}
