import type { Reflection } from "../../domain/tasks/reflection.js";
import {
  type DescribedReflection,
  describeReflections,
} from "../../episodic/reflections/describe-reflections.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import { sayOnce } from "../../text/say-once.js";
import type { Candidate, CandidateSource } from "../candidate.js";
import { shownLength, reflections as weights } from "../weights.js";

/** A task's own reflections, newest first: the newest matter most if the budget is small. */
export function reflectionSource(readReflections: () => Promise<readonly Reflection[]>): CandidateSource {
  return { kind: "reflection", find: async () => reflectionCandidates(await readReflections()) };
}

function reflectionCandidates(reflections: readonly Reflection[]): Candidate[] {
  return describeReflections(reflections).map((described, place) => {
    const { reflection } = described;
    return {
      id: reflectionId(reflection),
      kind: "reflection",
      section: "reflections" as const,
      statement: reflection.learning || reflection.observation,
      text: renderedReflection(described),
      score: 1 / (place + 1),
      parts: { newest: 1 / (place + 1) },
      why: "this task's own",
    };
  });
}

function reflectionId({ task_id, attempt_id, iteration, timestamp }: Reflection): string {
  return [
    `${task_id}/${attempt_id}`,
    ...(iteration === undefined ? [] : [`iteration ${iteration}`]),
    timestamp,
  ].join(" ");
}

/** The rules' observation is the evidence of their lesson; what others observed is shown as well. */
function renderedReflection({ reflection, where, text }: DescribedReflection): string {
  const { observation, analysis, action_items: steps, written_by: author } = reflection;
  const isByRules = author === "rules" || observation === "";
  const line = (name: string, said: string) =>
    said.trim() === "" ? [] : [`  ${name}: ${neutraliseLine(said, shownLength.reflection)}`];
  return sayOnce([
    `- ${where}: ${neutraliseLine(isByRules ? text : observation, shownLength.reflection)}`,
    ...line("Why", analysis),
    ...line("Lesson", isByRules ? "" : text),
    ...line("Next", steps.slice(0, weights.shownSteps).join(" · ")),
  ]).join("\n");
}
