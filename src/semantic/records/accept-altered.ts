import type { Learning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Repositories } from "../../store/store.js";
import { getLearning } from "./get-learning.js";
import { learningProblem } from "./learning-problem.js";
import { replaceLearning } from "./write-learning.js";

/** Keeps an altered learning as it is now. */
export async function acceptAltered(tx: Repositories, id: string): Promise<Learning> {
  const learning = await getLearning(tx, id);
  const problem = learningProblem(learning);
  if (problem !== undefined)
    throw new RalphError("wrong-use", `${learning.id} cannot be accepted: ${problem}`, {
      hint: `"ralph learnings restore --altered" takes it from a backup, "ralph learnings delete ${learning.id}" removes it`,
    });
  await replaceLearning(tx, learning);
  return learning;
}
