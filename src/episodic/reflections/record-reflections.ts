import { RalphError } from "../../domain/ralph-error.js";
import {
  type Effectiveness,
  effectivenessRatings,
  type Reflection,
  type ReflectionType,
  reflectionTypes,
} from "../../domain/tasks/reflection.js";
import type { StoredReflection } from "../../store/repositories/tasks/reflections.js";
import type { Repositories } from "../../store/store.js";
import { suggest } from "../../text/nearest.js";
import { redact } from "../../text/secrets/redact.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask, publicReflection } from "../tasks/get-task.js";
import { indexTask } from "../tasks/index-task.js";
import { compareFailures, type WorkReport } from "./work-report.js";

/** Smaller rises in quality are ignored. */
const minRise = 0.05;

/** Rates reflections by the work that followed; a person's rating is kept. */
export async function rateReflections(
  tx: Repositories,
  reflections: readonly StoredReflection[],
  after: WorkReport,
): Promise<void> {
  const effectiveness = judge(after);
  for (const { key, rated_by: ratedBy } of reflections) {
    if (ratedBy !== "person") await tx.reflections.rate(key, effectiveness, "outcome");
  }
}

function judge({ outcome, quality, failures, previous }: WorkReport): Effectiveness {
  if (outcome === "success") return "helpful";
  if (quality !== undefined && previous?.quality !== undefined && quality - previous.quality >= minRise)
    return "helpful";
  const { kind } = compareFailures(failures, previous);
  if (kind === "progress" && failures.length > 0) return "helpful";
  return kind === "same" ? "unhelpful" : "neutral";
}

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

export interface ReflectionInput {
  observation: string;
  analysis?: string | undefined;
  learning?: string | undefined;
  action_items?: readonly string[] | undefined;
  reflection_type?: ReflectionType | undefined;
}

/** Records a reflection that a person or an agent wrote. */
export async function reflectByHand(
  { store, clock }: EpisodicContext,
  taskId: string,
  input: ReflectionInput,
): Promise<Reflection> {
  const type = input.reflection_type ?? "process-improvement";
  if (!reflectionTypes.includes(type)) {
    throw new RalphError("wrong-use", `Unknown reflection type: ${type}`, {
      hint: suggest(type, reflectionTypes),
    });
  }
  const safe = (text: string | undefined) => redact((text ?? "").trim()).text;
  if (safe(input.observation) === "") throw new RalphError("wrong-use", "A reflection needs an observation");
  return store.transaction(async (tx) => {
    const task = await getTask(tx, taskId);
    const reflection: Reflection = {
      timestamp: clock().toISOString(),
      task_id: task.id,
      attempt_id: task.current_attempt,
      observation: safe(input.observation),
      analysis: safe(input.analysis),
      learning: safe(input.learning) || safe(input.observation),
      action_items: (input.action_items ?? []).map(safe),
      triggered_by: "manual",
      written_by: "person",
      reflection_type: type,
    };
    await tx.reflections.record(task.number, reflection);
    await indexTask(tx, task);
    return reflection;
  });
}
