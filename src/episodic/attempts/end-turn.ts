import { isLearnedLine } from "../../domain/tasks/agent-text.js";
import { clipMessage } from "../../text/secrets/clip-output.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getHeldAttempt } from "./holders.js";

/** An iteration that nobody judges, and what the agent said at its end. */
export interface Turn {
  iteration: number;
  said: string;
  /** When, if that was before now. */
  at?: string | undefined;
}

/** Records what the agent said at the end of an iteration that nobody judges. */
export async function endTurn(
  { store, clock }: Pick<EpisodicContext, "store" | "clock">,
  taskId: string,
  { iteration, said, at }: Turn,
): Promise<void> {
  await store.transaction(
    async (tx) => {
      const { attempt } = await getHeldAttempt(tx, taskId, undefined, clock());
      await tx.attempts.countActions(attempt.key, 0, iteration);
      await tx.iterationResults.record(attempt.key, {
        iteration,
        timestamp: at ?? clock().toISOString(),
        ...(said !== "" && { said: clipMessage(said, isLearnedLine) }),
      });
    },
    { holds: "attempt" },
  );
}
