import type { LoopIteration, LoopState } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isObject } from "../../domain/shape.js";

type Fields = Record<string, unknown>;

/** Parses the loop history of another tool; throws when nothing could be learned from it. */
export function parseLoopState(value: unknown): LoopState {
  const loop = fieldsOf(value);
  if (loop === undefined) throw refusal("is not an object");
  const loopId = loop.loopId;
  if (typeof loopId !== "string" || loopId === "") throw refusal("has no loopId");
  const { objective, iterations } = loop;
  if (typeof objective !== "string") throw refusal("has no objective", loopId);
  if (!Array.isArray(iterations)) throw refusal("has no iterations", loopId);
  if (iterations.length === 0) throw refusal("has no iterations to learn from", loopId);
  return {
    loopId,
    objective,
    status: typeof loop.status === "string" ? loop.status : "",
    ...(isCount(loop.currentIteration) && { currentIteration: loop.currentIteration }),
    iterations: iterations.map((iteration, index) => parseIteration(iteration, index, loopId)),
  };
}

function parseIteration(value: unknown, index: number, loopId: string): LoopIteration {
  const iteration = fieldsOf(value);
  if (typeof iteration?.status !== "string") {
    throw refusal(`has no status for iteration ${index + 1}`, loopId);
  }
  const analysis = fieldsOf(iteration.analysis);
  return {
    number: isCount(iteration.number) ? iteration.number : index + 1,
    status: iteration.status,
    ...(isCount(iteration.duration) && { duration: iteration.duration }),
    analysis: {
      progressMade: analysis?.progressMade === true,
      errors: [...texts(analysis?.errors), ...texts(analysis?.error)],
    },
    learnings: texts(iteration.learnings),
    filesModified: texts(iteration.filesModified),
  };
}

/** Accepts a string, a list, or an object with a message; ignores anything else. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  const message = fieldsOf(value)?.message;
  return typeof message === "string" ? [message] : [];
}

function fieldsOf(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function refusal(problem: string, loopId?: string): RalphError {
  const which = loopId === undefined ? "The loop history" : `The history of loop ${loopId}`;
  return new RalphError("wrong-use", `${which} ${problem}`, {
    hint: "it needs loopId, objective and iterations, each with a status",
  });
}
