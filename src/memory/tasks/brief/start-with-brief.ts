import type { Handoff } from "../../../domain/working.js";
import {
  type StartAttemptInput,
  type StartedAttempt,
  startAttempt,
} from "../../../episodic/attempts/start-attempt.js";
import type { EpisodicContext } from "../../../episodic/episodic-context.js";
import type { Repositories } from "../../../store/store.js";
import type { Recall } from "../../recall/recall-input.js";
import { type BeforeTask, toBeforeTask } from "./before-task.js";

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
  const started = await startAttempt(context, taskId, input, async (tx, starting) => {
    const created = starting.then(({ now }) => now);
    // There may be nothing to record.
    created.catch(() => undefined);
    const recording =
      recalled && import("./record-recall.js").then((module) => module.recordRecall(tx, recalled, created));
    const forNamed = input.agent === undefined ? undefined : tx.handoffs.listUndelivered(input.agent);
    forNamed?.catch(() => undefined);
    const delivering = starting.then(async ({ agent, now }) => {
      if (agent === undefined) return [];
      const asked = agent === input.agent ? forNamed : undefined;
      return deliver(tx, await (asked ?? tx.handoffs.listUndelivered(agent)), now);
    });
    [handoffs] = await Promise.all([delivering, recording]);
    const brief = recalled === undefined || recalled.text === "" ? "" : `${recalled.text}\n`;
    handoffTexts = await introductionsOf(handoffs);
    return handoffTexts.map((text) => `${text}\n`).join("") + brief;
  });
  const before = toBeforeTask(recalled ?? { best: [], entries: [] });
  return { ...started, ...(handoffs.length > 0 && { handoffs }), handoffTexts, before };
}

async function deliver(tx: Repositories, waiting: readonly Handoff[], now: string): Promise<Handoff[]> {
  if (waiting.length === 0) return [];
  const { deliverHandoffs } = await import("../../../working/handoff.js");
  return deliverHandoffs(tx, waiting, now);
}

async function introductionsOf(handoffs: readonly Handoff[]): Promise<string[]> {
  if (handoffs.length === 0) return [];
  const { handoffIntro } = await import("../../../working/handoff.js");
  return handoffs.map(handoffIntro);
}
