import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { templateOf } from "../../failures/keys/failure-key.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import type { Repositories } from "../../store/store.js";
import type { RecallQuestion } from "../recall-question.js";
import { learningEvidence as weights } from "../weights.js";
import type { AskedFailures } from "./asked-failures.js";
import { makeWordWeight, sharedWords, stemsOf, type WeighedWords, weighWords } from "./word-evidence.js";

/** By task id, how similar a finished task is to the question, from 0 to 1. */
export type RelatedTasks = ReadonlyMap<string, number>;

/** Why a learning may matter for a question; each from 0 to 1. */
export interface LearningEvidence {
  /** 1 for the very failure that the question names, less for one with a similar message. */
  error: number;
  /** The share of related tasks that it comes from. */
  family: number;
  /** How many of the related tasks taught it. */
  taughtBy: { tasks: number; of: number };
  /** How much of the question's words it has. */
  words: number;
  /** It is about a file that the question names. */
  files: number;
  /** The shared words, the most specific first. */
  shared: string[];
}

export type WeighLearning = (learning: Learning, related: RelatedTasks) => LearningEvidence;

/** Weighs the evidence for learnings of one store. */
export async function weighEvidence(
  { lexical }: Pick<Repositories, "lexical">,
  { objective, errors, files }: RecallQuestion,
  failures: AskedFailures,
): Promise<WeighLearning> {
  const weightOf = await makeWordWeight(lexical, learningKind, [objective, ...errors].join("\n"));
  const asked = weighWords(stemsOf(objective), weightOf);
  const messages = failures.messages.map((message) => weighWords(stemsOf(message), weightOf));
  return (learning, related) => {
    const near = [...related.values()].reduce((sum, similarity) => sum + similarity, 0);
    const text = textOf(learning);
    const { strength, shared, coverage } = sharedWords(asked, text);
    return {
      error: errorEvidence(learning, text, { ...failures, messages }),
      family: near === 0 ? 0 : familyShare(learning, related, near),
      taughtBy: { tasks: learning.sourceLoops.filter((task) => related.has(task)).length, of: related.size },
      words: strength >= weightOf.least ? coverage : 0,
      files: concernsFiles(learning, files) ? 1 : 0,
      shared: shared.slice(0, weights.shownWords),
    };
  };
}

function familyShare({ sourceLoops }: Learning, related: RelatedTasks, near: number): number {
  return sourceLoops.reduce((sum, source) => sum + (related.get(source) ?? 0), 0) / near;
}

function errorEvidence(
  { failure_key: key, failure_aliases: aliases = [] }: Learning,
  text: ReadonlySet<string>,
  { keys, codes, messages }: Omit<AskedFailures, "messages"> & { messages: readonly WeighedWords[] },
): number {
  if (key !== undefined && [key, ...aliases].some((each) => keys.includes(each))) return 1;
  if (codes.some((code) => text.has(code))) return weights.sameCode;
  const best = Math.max(
    0,
    ...messages.map((words) => {
      const { strength, coverage } = sharedWords(words, text);
      return strength >= weights.leastErrorWords ? coverage : 0;
    }),
  );
  return best >= weights.leastErrorCoverage ? best * weights.similarError : 0;
}

/** What a learning says, without the values of a single occurrence. */
function textOf(learning: Learning): ReadonlySet<string> {
  const {
    content,
    conditions = [],
    failure_key: key,
    failure_aliases: aliases = [],
    category = "",
  } = learning;
  const statement = statementOf(learning);
  const said = key === undefined ? `${statement} ${content.why ?? ""}` : templateOf(statement);
  const advice = typeof content.prevention === "string" ? withoutInstances(content.prevention) : "";
  return stemsOf(
    [said, key ?? "", ...aliases, content.what_fails ?? "", advice, category, ...conditions].join("\n"),
  );
}

const sourceFile =
  /(?:[\w@.-]+\/)*[\w.-]+\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kts?|swift|cs|php|exs?|c|cc|cpp|h|vue|svelte|md|sql)\b/g;

/** A remedy without the code and the source files of the one case that it was read from. */
function withoutInstances(remedy: string): string {
  return remedy
    .replace(/\b(change|add|remove) (?:`[^`]*`|“[^”]*”)(?: to (?:`[^`]*`|“[^”]*”))?/g, " ")
    .replace(sourceFile, " ");
}

/** Whether a learning mentions one of these files, or came from work on them. */
function concernsFiles({ content, files = [] }: Learning, asked: readonly string[]): boolean {
  const own = [content.pattern ?? "", ...(content.examples ?? []), ...files];
  return asked.some((file) => own.some((path) => path.includes(file)));
}
