import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import type { LearningRow } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import { errorWords } from "../../words/error-codes.js";
import { wordsOf } from "../../words/words.js";
import { recordChecksum } from "../exchange/checksum.js";
import { likenessOf } from "../merge/likeness.js";
import { queryScore } from "../retrieve/score-learning.js";

export async function addLearning(tx: Repositories, learning: Learning): Promise<void> {
  await tx.learnings.add(toRow(learning));
  await indexLearning(tx, learning);
}

/** Puts a changed record in the place of the one with its id. */
export async function saveLearning(tx: Repositories, learning: Learning): Promise<void> {
  await tx.learnings.save(toRow(learning));
  await indexLearning(tx, learning);
}

/** Saves a record of which only figures changed, so that it is found as before. */
export async function saveFigures(tx: Repositories, learning: Learning): Promise<void> {
  await tx.learnings.save(toRow(learning));
}

/** False when there is none. */
export async function removeLearning(tx: Repositories, id: string, time: string): Promise<boolean> {
  await tx.lexical.remove({ kind: learningKind, id, source: "" });
  // What it had taken the place of is shown again, and nothing points to it any more.
  for (const { learning } of await tx.learnings.listSupersededBy(id)) {
    const { superseded_by: _gone, ...shown } = learning;
    await saveLearning(tx, shown);
  }
  for (const link of await tx.links.listOf(id)) await tx.links.remove(link);
  return tx.learnings.remove(id, time);
}

/** Takes all out for good, also damaged ones, and tells how many there were. */
export async function removeAllLearnings(tx: Repositories): Promise<number> {
  const rows = await tx.learnings.listRaw();
  for (const { id } of rows) await tx.lexical.remove({ kind: learningKind, id, source: "" });
  await tx.learnings.removeAll();
  return rows.length;
}

export function toRow(learning: Learning): LearningRow {
  return {
    learning,
    likeness: likenessOf(learning),
    score: queryScore(learning),
    checksum: recordChecksum(learning),
  };
}

/** Makes a learning findable by what it says, when it applies and where. */
export async function indexLearning(tx: Repositories, learning: Learning): Promise<void> {
  const { content, conditions = [], correct_approach = "", incorrect_approach = "" } = learning;
  const words = (text: string) => wordsOf(text).join(" ");
  const said = [content.why, content.prevention, correct_approach, incorrect_approach, ...conditions];
  const body = said.filter((text) => typeof text === "string").join("\n");
  const errors = [content.what_fails, learning.type === "antipattern" ? content.description : ""];
  await tx.lexical.put({
    kind: learningKind,
    id: learning.id,
    source: "",
    title: words(statementOf(learning)),
    body: words(body),
    tags: words([learning.category ?? "", learning.taskType].join(" ")),
    files: words([...(content.examples ?? []), ...(learning.files ?? [])].join(" ")),
    errors: errorWords([...errors, body].join("\n")),
    labels: [
      `type:${learning.type}`,
      `task:${learning.taskType}`,
      ...(learning.superseded_by === undefined ? ["state:shown"] : []),
    ],
    time: Date.parse(learning.updatedAt) || 0,
  });
}
