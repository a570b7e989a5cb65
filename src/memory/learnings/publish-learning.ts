import type { Learning, LearningType } from "../../domain/knowledge/learning.js";
import type { NoteType } from "../../domain/knowledge/note.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import type { LinkVerbs } from "../links/link-verbs.js";
import type { AddedNote } from "../notes/note-input.js";
import type { NoteVerbs } from "../notes/notes.js";

export interface PublishedLearning extends AddedNote {
  learning: Learning;
}

const noteTypeOf: Record<LearningType, NoteType> = {
  strategy: "pattern",
  convention: "pattern",
  pattern: "pattern",
  antipattern: "fix",
  estimate: "context",
  fact: "context",
};

/** Writes a learning as a note, to be reviewed in git, and links the note to it. */
export async function publishLearning(
  learning: Learning,
  { notes, links }: { notes: Pick<NoteVerbs, "add">; links: Pick<LinkVerbs, "add"> },
): Promise<PublishedLearning> {
  const added = await notes.add({
    type: noteTypeOf[learning.type],
    content: noteContent(learning),
    tags: [learning.taskType, "learned"],
  });
  await links.add({ from: added.note.id, to: learning.id, relation: "derived_from" });
  return { learning, ...added };
}

function noteContent(learning: Learning): string {
  const { why, prevention } = learning.content;
  const statement = statementOf(learning);
  const isSaid = typeof why === "string" && statement.includes(why.trim());
  const parts = [
    statement,
    why && !isSaid && `Why: ${why}`,
    prevention && `${learning.failure_key === undefined ? "Prevention" : "Remedy"}: ${prevention}`,
  ];
  return parts.filter((part) => typeof part === "string" && part !== "").join("\n");
}
