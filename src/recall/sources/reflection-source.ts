import type { Reflection } from "../../domain/tasks/reflection.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import type { Candidate } from "../candidate.js";
import type { CandidateSource } from "../candidate-source.js";
import { shownLength, reflections as weights } from "../weights.js";

/** A task's own reflections, newest first: the newest matter most if the budget is small. */
export function reflectionSource(readReflections: () => Promise<readonly Reflection[]>): CandidateSource {
  return { kind: "reflection", find: async () => reflectionCandidates(await readReflections()) };
}

/** Of equal reflections, only the newest. */
function reflectionCandidates(reflections: readonly Reflection[]): Candidate[] {
  const newest = new Map<string, Reflection>();
  for (const reflection of reflections.toReversed()) {
    const statement = reflection.learning || reflection.observation;
    if (!newest.has(statement)) newest.set(statement, reflection);
  }
  return [...newest.values()].map((reflection, place) => {
    const text = renderedReflection(reflection);
    return {
      id: reflectionId(reflection),
      kind: "reflection",
      section: "reflections" as const,
      statement: reflection.learning || reflection.observation,
      text,
      score: 1 / (place + 1),
      parts: { newest: 1 / (place + 1) },
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

function renderedReflection(reflection: Reflection): string {
  const { attempt_id, iteration, observation, analysis, learning, action_items: steps } = reflection;
  const where =
    iteration === undefined ? `Attempt ${attempt_id}` : `Attempt ${attempt_id}, iteration ${iteration}`;
  const line = (name: string, text: string) =>
    text.trim() === "" ? [] : [`  ${name}: ${neutraliseLine(text, shownLength.reflection)}`];
  return [
    `- ${where}: ${neutraliseLine(observation || learning, shownLength.reflection)}`,
    ...line("Why", analysis),
    ...line("Lesson", observation === "" ? "" : learning),
    ...line("Next", steps.slice(0, weights.shownSteps).join(" · ")),
  ].join("\n");
}
