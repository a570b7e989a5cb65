import type { Learning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Repositories } from "../../store/store.js";

const shownCandidates = 4;

/** The learning with an id, which may be shortened to what is unique. */
export async function getLearning(repositories: Repositories, id: string): Promise<Learning> {
  const exact = await repositories.learnings.find(id);
  if (exact !== undefined) return exact.learning;
  const prefix = id.startsWith("learn-") ? id : `learn-${id}`;
  const near = await repositories.learnings.listByPrefix(prefix, shownCandidates);
  const [first, second] = near;
  if (id === "" || first === undefined) {
    throw new RalphError("not-found", `Learning not found: ${id}`, {
      hint: '"ralph learnings list" shows those there are',
    });
  }
  if (second !== undefined) {
    throw new RalphError("ambiguous", `Several learnings begin with ${id}`, {
      hint: `say more of the id: ${near.map(({ learning }) => learning.id).join(", ")}`,
    });
  }
  return first.learning;
}
