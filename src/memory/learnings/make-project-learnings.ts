import { RalphError } from "../../domain/ralph-error.js";
import { embedPending } from "../embed-pending.js";
import type { LinkVerbs } from "../links/link-verbs.js";
import type { NoteVerbs } from "../notes/notes.js";
import type { OpenProject } from "../project/open-project.js";
import type { LearningVerbs } from "./learning-verbs.js";
import { makeLearningVerbs } from "./make-learning-verbs.js";
import { publishLearning } from "./publish-learning.js";

/** A project's learnings, which can be published as notes. */
export function makeProjectLearnings(
  session: OpenProject,
  others: { notes: NoteVerbs; links: LinkVerbs },
): LearningVerbs {
  const learnings = makeLearningVerbs(session);
  return {
    ...learnings,
    async consolidate(options) {
      const consolidated = await learnings.consolidate(options);
      if (!options.dryRun) await embedPending(session);
      return consolidated;
    },
    async publish(id) {
      const learning = await learnings.get(id);
      if ((await learnings.findAltered([learning])).length > 0)
        throw new RalphError("wrong-use", `${learning.id} was altered outside Ralph`, {
          hint: `if it is right, accept it first: ralph learnings verify --accept ${learning.id}`,
        });
      return publishLearning(learning, others);
    },
  };
}
