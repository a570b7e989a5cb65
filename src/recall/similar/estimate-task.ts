import { interrupted } from "../../domain/tasks/attempt.js";
import { sessionTag } from "../../domain/tasks/task.js";
import type { AttemptTrace } from "../../store/repositories/tasks/attempts.js";
import { counted } from "../../text/counted.js";
import { type Candidate, estimateKind } from "../candidate.js";
import { similarTasks } from "../weights.js";
import type { TaskComparison } from "./compare-tasks.js";

const { estimate: weights } = similarTasks;

/** What a task took. */
interface Effort {
  attempts: number;
  /** Judged iterations; an attempt without any counts as one. */
  iterations: number;
  seconds: number;
}

/** What tasks like an objective took. */
interface TaskEstimate extends Effort {
  /** The fewest and the most iterations. */
  range: readonly [number, number];
  tasks: number;
  /** The similarity of the nearest of these tasks. */
  similarity: number;
}

/** The mean effort of the tasks near an objective, weighted by their similarity; undefined if too few were worked on. */
export function estimateTask(compared: readonly TaskComparison[]): TaskEstimate | undefined {
  const near = compared
    // The prompts of a person are no iterations, and the person's pauses no work.
    .filter(({ similarity, task }) => similarity >= weights.near && !task.tags.includes(sessionTag))
    .flatMap(({ similarity, traces }) => {
      const effort = effortOf(traces);
      return effort === undefined ? [] : [{ similarity, effort }];
    })
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, weights.mostTasks);
  const [nearest] = near;
  if (nearest === undefined || nearest.similarity < weights.nearest) return undefined;
  if (near.length < weights.leastTasks) return undefined;
  const all = sumOf(near.map(({ similarity }) => similarity));
  const mean = (field: keyof Effort) =>
    sumOf(near.map(({ effort, similarity }) => effort[field] * similarity)) / all;
  const iterations = near.map(({ effort }) => effort.iterations);
  return {
    ...{ attempts: mean("attempts"), iterations: mean("iterations"), seconds: mean("seconds") },
    range: [Math.min(...iterations), Math.max(...iterations)],
    tasks: near.length,
    similarity: nearest.similarity,
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** What a task took in the attempts in which somebody worked; undefined if there was none. */
function effortOf(traces: readonly AttemptTrace[]): Effort | undefined {
  const worked = traces.filter(wasWorkedOn);
  if (worked.length === 0) return undefined;
  return {
    attempts: worked.length,
    iterations: sumOf(worked.map(({ judgedIterations }) => Math.max(1, judgedIterations))),
    seconds: sumOf(worked.map(({ seconds }) => seconds)),
  };
}

/** An agent that dies at once is judged as well, but it did nothing. */
function wasWorkedOn({ outcome, actions, files, judgedIterations }: AttemptTrace): boolean {
  if (outcome === undefined || outcome.reason === interrupted) return false;
  return actions > 0 || files.length > 0 || (judgedIterations > 0 && outcome.status === "success");
}

export function estimateCandidate(estimate: TaskEstimate, iteration: number | undefined): Candidate {
  const statement = describe(estimate);
  const now = iteration === undefined ? "" : ` (now at iteration ${iteration})`;
  return {
    id: estimateKind,
    kind: estimateKind,
    section: "estimates",
    statement,
    text: `- ${statement}${now}`,
    score: estimate.similarity,
    parts: { similarity: estimate.similarity },
    why: `what ${counted(estimate.tasks, "near task")} took`,
  };
}

function describe({ iterations, attempts, seconds, range: [fewest, most], tasks }: TaskEstimate): string {
  const spread = fewest === most ? "" : `${fewest} to ${most}; `;
  const [times, tries] = [inWords(iterations, "iteration"), inWords(attempts, "attempt")];
  const took = Number.parseFloat(times) === Number.parseFloat(tries) ? times : `${times} in ${tries}`;
  return `Tasks like this took ${took} on average (${spread}${counted(tasks, "task")})${timeOf(seconds)}`;
}

function inWords(value: number, unit: string): string {
  const shown = Math.round(value * 10) / 10;
  return `${shown} ${unit}${shown === 1 ? "" : "s"}`;
}

function timeOf(seconds: number): string {
  if (seconds < 30) return "";
  const minutes = Math.max(1, Math.round(seconds / 60));
  return minutes < 90 ? `, about ${counted(minutes, "minute")}` : `, about ${Math.round(minutes / 60)} hours`;
}
