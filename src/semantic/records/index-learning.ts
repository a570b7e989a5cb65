import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import type { SearchDocument } from "../../store/lexical-index.js";
import type { Repositories } from "../../store/store.js";
import { errorWords } from "../../words/error-codes.js";
import { wordsOf } from "../../words/words.js";

/** Adds a learning to the search index, with its statement, conditions and files. */
export async function indexLearning(tx: Repositories, learning: Learning): Promise<void> {
  await tx.lexical.put(learningDocument(learning));
}

/** What a learning is found by. */
export function learningDocument(learning: Learning): SearchDocument {
  const { content, conditions = [], correct_approach = "", incorrect_approach = "" } = learning;
  const words = (text: string) => wordsOf(text).join(" ");
  const texts = [content.why, content.prevention, correct_approach, incorrect_approach, ...conditions];
  const body = texts.filter((text) => typeof text === "string").join("\n");
  const errors = [
    ...(learning.failure_aliases ?? []),
    content.what_fails,
    learning.type === "antipattern" ? content.description : "",
  ];
  return {
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
  };
}
