import type { Learning } from "../../domain/knowledge/learning.js";
import { parseQuestion } from "../../search/question.js";
import { learningKind } from "../../search/record-kinds.js";
import { searchRecords } from "../../search/search-records.js";
import type { Repositories } from "../../store/store.js";

export interface LearningSearch {
  text: string;
  limit?: number | undefined;
}

const defaultLimit = 50;

/** Learnings that share words with a text, best match first; not those that are superseded. */
export async function searchLearnings(
  { lexical, learnings }: Repositories,
  { text, limit = defaultLimit }: LearningSearch,
): Promise<Learning[]> {
  const hits = await searchRecords(lexical, {
    question: parseQuestion(text),
    kind: learningKind,
    sources: [""],
    labelGroups: [["state:shown"]],
    limit,
  });
  const rows = await learnings.listByIds(hits.map(({ id }) => id));
  const byId = new Map(rows.map(({ learning }) => [learning.id, learning]));
  return hits.flatMap(({ id }) => byId.get(id) ?? []);
}
