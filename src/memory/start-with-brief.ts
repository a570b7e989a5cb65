import type { Handoff } from "../domain/handoff.js";
import type { EpisodicContext } from "../episodic/episodic-context.js";
import { getTask } from "../episodic/get-task.js";
import { type StartAttemptInput, type StartedAttempt, startAttempt } from "../episodic/start-attempt.js";
import { recordBrief } from "../semantic/credit-brief.js";
import type { Repositories } from "../store/store.js";
import {
  type BeforeTask,
  type BriefEntry,
  gatherBeforeTask,
  recordsOf,
  renderBeforeTask,
} from "./before-task.js";

export interface StartedWithBrief extends StartedAttempt {
  /** What its agent had accepted and the plan begins with, oldest first. */
  handoffs?: Handoff[];
  /** What other tasks taught about this one. */
  before: BeforeTask;
}

/** Finds the skills that fit an objective. */
export type FindSkills = (objective: string) => Promise<BriefEntry[]>;

/** Starts the next attempt of a task; handoffs that its agent accepted, and what other tasks taught, open the plan. */
export async function startWithBrief(
  context: EpisodicContext,
  taskId: string,
  input: StartAttemptInput,
  findSkills: FindSkills,
): Promise<StartedWithBrief> {
  const task = await getTask(context.store, taskId);
  const skills = await findSkills(task.description);
  let handoffs: Handoff[] = [];
  let before: BeforeTask | undefined;
  const started = await startAttempt(context, taskId, input, async (tx, { agent, now }) => {
    before = await gatherBeforeTask(tx, task.description, skills);
    const records = recordsOf(before);
    if (records.length > 0)
      await recordBrief(tx, { task_id: task.id, created: now, isHoldout: false, records });
    handoffs = agent === undefined ? [] : await deliver(tx, agent, now);
    return (await introductionsOf(handoffs)) + renderBeforeTask(before);
  });
  const known = before ?? { relevant_patterns: [], avoid_these: [], applicable_skills: [] };
  return { ...started, ...(handoffs.length > 0 && { handoffs }), before: known };
}

async function deliver(tx: Repositories, agent: string, now: string): Promise<Handoff[]> {
  if ((await tx.handoffs.listUndelivered(agent)).length === 0) return [];
  const { deliverHandoffs } = await import("../working/pass-on-handoff.js");
  return deliverHandoffs(tx, agent, now);
}

async function introductionsOf(handoffs: readonly Handoff[]): Promise<string> {
  if (handoffs.length === 0) return "";
  const { handoffIntro } = await import("../working/render-handoff.js");
  return handoffs.map((handoff) => `${handoffIntro(handoff)}\n`).join("");
}
