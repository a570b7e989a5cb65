import type { Handoff } from "../domain/handoff.js";
import type { EpisodicContext } from "../episodic/episodic-context.js";
import { type StartAttemptInput, type StartedAttempt, startAttempt } from "../episodic/start-attempt.js";

export interface StartedWithHandoffs extends StartedAttempt {
  /** What its agent had accepted and the plan begins with, oldest first. */
  handoffs?: Handoff[];
}

/** Starts the next attempt of a task; what its agent has accepted since its last one opens the plan. */
export async function startWithHandoffs(
  context: EpisodicContext,
  taskId: string,
  input: StartAttemptInput,
): Promise<StartedWithHandoffs> {
  let handoffs: Handoff[] = [];
  const started = await startAttempt(context, taskId, input, async (tx, { agent, now }) => {
    if (agent === undefined || (await tx.handoffs.listUndelivered(agent)).length === 0) return "";
    const { deliverHandoffs } = await import("../working/pass-on-handoff.js");
    const { handoffIntro } = await import("../working/render-handoff.js");
    handoffs = await deliverHandoffs(tx, agent, now);
    return handoffs.map((handoff) => `${handoffIntro(handoff)}\n`).join("");
  });
  return handoffs.length === 0 ? started : { ...started, handoffs };
}
