import { messageOf } from "../../domain/ralph-error.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask, publicReflection } from "../tasks/get-task.js";
import { toReflection } from "./reflect-by-rules.js";
import type { WorkReport } from "./work-report.js";

type Improvement =
  | { kind: "no-model" }
  /** A model could only guess. */
  | { kind: "nothing-known" }
  | { kind: "improved"; reflection: Reflection }
  /** The rules' reflection stays. */
  | { kind: "kept"; reason: string };

/** Replaces the rules' reflection by one of the configured model, if there is one; the rules may have had nothing to say. */
export async function improveReflection(
  { store, reflector, clock }: EpisodicContext,
  report: WorkReport,
): Promise<Improvement> {
  if (reflector === undefined) return { kind: "no-model" };
  if (!isAnythingKnown(report)) return { kind: "nothing-known" };
  const task = await getTask(store, report.task.id);
  const keep = (reason: string): Improvement => ({ kind: "kept", reason: `${reflector.name}: ${reason}` });
  if ((await store.reflections.countByModels(task.number)) >= reflector.maxCalls)
    return keep(`reached its limit of ${reflector.maxCalls} reflections for ${task.id}`);
  try {
    const { text, cost } = await reflector.reflect(report);
    return await store.transaction(async (tx) => {
      const ofAttempt = await tx.reflections.listForAttempt(task.number, report.attemptId);
      const byRules = ofAttempt.findLast(
        (each) =>
          each.iteration === report.iteration && each.triggered_by !== "manual" && isAbout(each, report),
      );
      const known = byRules && publicReflection(byRules);
      const reflection = {
        ...(known ?? toReflection(report, text, clock().toISOString())),
        ...text,
        written_by: reflector.name,
        cost,
      };
      if (byRules === undefined) await tx.reflections.record(task.number, reflection);
      else await tx.reflections.rewrite(byRules.key, reflection);
      return { kind: "improved", reflection };
    });
  } catch (error) {
    return keep(messageOf(error));
  }
}

/** Improves the reflections of several reports; returns the reasons why the rules' reflections were kept. */
export async function improveReflections(
  context: EpisodicContext,
  reports: readonly WorkReport[],
): Promise<string[]> {
  const degraded: string[] = [];
  for (const report of reports) {
    const improved = await improveReflection(context, report);
    if (improved.kind === "kept") degraded.push(improved.reason);
  }
  return degraded;
}

function isAnythingKnown({ actions, output, reason, verdict, failures }: WorkReport): boolean {
  return actions.length > 0 || failures.length > 0 || [output, reason, verdict].some((text) => text?.trim());
}

/** A completed task has a second reflection, about the task as a whole. */
function isAbout({ reflection_type: type }: Reflection, { outcome }: WorkReport): boolean {
  return outcome !== "success" || type !== "process-improvement";
}
