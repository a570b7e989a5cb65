import { RalphError } from "../../domain/ralph-error.js";
import { type Effectiveness, effectivenessRatings, type Reflection } from "../../domain/tasks/reflection.js";
import { suggest } from "../../text/nearest.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask } from "../tasks/get-task.js";
import { publicReflection } from "../tasks/public-records.js";

export interface RatedReflection {
  /** The last reflection of this attempt; by default, of the task. */
  attempt?: number | undefined;
  iteration?: number | undefined;
}

/** Records how much a reflection helped, as rated by a person or an agent. */
export async function rateByHand(
  { store }: EpisodicContext,
  taskId: string,
  effectiveness: Effectiveness,
  { attempt, iteration }: RatedReflection = {},
): Promise<Reflection> {
  if (!effectivenessRatings.includes(effectiveness)) {
    throw new RalphError("wrong-use", `Unknown effectiveness: ${effectiveness}`, {
      hint: suggest(effectiveness, effectivenessRatings),
    });
  }
  return store.transaction(async (tx) => {
    const task = await getTask(tx, taskId);
    const reflection = (await tx.reflections.listLast(task.number)).findLast(
      (each) =>
        (attempt === undefined || each.attempt_id === attempt) &&
        (iteration === undefined || each.iteration === iteration),
    );
    if (reflection === undefined) {
      throw new RalphError("not-found", `${task.id} has no such reflection`, {
        hint: `"ralph history ${task.id} --reflections" lists them`,
      });
    }
    await tx.reflections.rate(reflection.key, effectiveness, "person");
    return { ...publicReflection(reflection), effectiveness, rated_by: "person" };
  });
}
