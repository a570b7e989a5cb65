import type { Learning } from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Repositories } from "../../store/store.js";

const shownCandidates = 4;

/** Finds a learning by its id or a unique prefix of it. */
export async function getLearning(repositories: Repositories, id: string): Promise<Learning> {
  const exact = await repositories.learnings.find(id);
  if (exact !== undefined) return exact.learning;
  const prefix = id.startsWith("learn-") ? id : `learn-${id}`;
  const near = await repositories.learnings.listByPrefix(prefix, shownCandidates);
  const [first, second] = near;
  if (id === "" || first === undefined) {
    throw new RalphError("not-found", `Learning not found: ${id}`, {
      hint: '"ralph learnings list" shows all of them',
    });
  }
  if (second !== undefined) {
    throw new RalphError("ambiguous", `More than one learning starts with ${id}`, {
      hint: `use a longer prefix: ${near.map(({ learning }) => learning.id).join(", ")}`,
    });
  }
  return first.learning;
}
