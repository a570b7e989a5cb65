import { sessionTag } from "../../domain/tasks/task.js";
import type { Repositories } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { type Candidate, estimateKind } from "../candidate.js";
import type { TaskComparison } from "../similar/compare-tasks.js";
import { similarTasks } from "../weights.js";
import { type Effort, effortOf, meanEffort, weightedMean } from "./effort.js";

const { estimate: weights } = similarTasks;

/** What tasks like an objective took. */
export interface TaskEstimate extends Effort {
  /** The fewest and the most iterations. */
  range: readonly [number, number];
  tasks: number;
  /** The similarity of the nearest of these tasks. */
  similarity: number;
}

/**
 * The mean effort of the tasks near an objective, weighted by their similarity; few of them count together with the project's
 * newest tasks. Undefined if too few near tasks were worked on.
 */
export async function estimateTask(
  { attempts }: Repositories,
  compared: readonly TaskComparison[],
): Promise<TaskEstimate | undefined> {
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
  const project = meanEffort(await attempts.listNewestTraces(weights.newestAttempts));
  const mean = weightedMean([
    ...near.map(({ effort, similarity }) => [effort, similarity] as const),
    ...(project === undefined ? [] : [[project, weights.projectWeight] as const]),
  ]);
  const iterations = near.map(({ effort }) => effort.iterations);
  return {
    ...mean,
    range: [Math.min(...iterations), Math.max(...iterations)],
    tasks: near.length,
    similarity: nearest.similarity,
  };
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
