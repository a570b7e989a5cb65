import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { templateOf } from "../../failures/keys/failure-key.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import type { Repositories } from "../../store/store.js";
import { isCommonWord } from "../../text/tokens/common-words.js";
import { backgroundShare } from "../../words/frequencies/word-frequencies.js";
import { isGenericWord } from "../../words/generic-words.js";
import { looseStem } from "../../words/loose-stem.js";
import { stopWords } from "../../words/stop-words.js";
import { questionWords, wordsOf } from "../../words/words.js";
import type { RecallQuestion } from "../recall-question.js";
import { learningEvidence as weights } from "../weights.js";
import type { AskedFailures } from "./asked-failures.js";

/** By task id, how similar a finished task is to the question, from 0 to 1. */
export type RelatedTasks = ReadonlyMap<string, number>;

/** Why a learning may matter for a question; each from 0 to 1. */
export interface LearningEvidence {
  /** 1 for the very failure that the question names, less for one with a similar message. */
  error: number;
  /** The share of related tasks that it comes from. */
  family: number;
  /** How much of the question's words it has. */
  words: number;
  /** It is about a file that the question names. */
  files: number;
  /** The shared words, the most specific first. */
  shared: string[];
}

interface WordWeight {
  (stem: string): number;
  /** What shared words must weigh together to count. */
  least: number;
}

/** Weighs the evidence for learnings of one store. */
export async function weighEvidence(
  { lexical }: Repositories,
  { objective, errors, files }: RecallQuestion,
  { related, failures }: { related: RelatedTasks; failures: AskedFailures },
): Promise<(learning: Learning) => LearningEvidence> {
  const asked = stemsOf(objective);
  const messages = failures.messages.map(stemsOf);
  const weightOf = await makeWordWeight(lexical, [objective, ...errors].join("\n"));
  const near = [...related.values()].reduce((sum, similarity) => sum + similarity, 0);
  return (learning) => {
    const text = textOf(learning);
    const { strength, shared, coverage } = sharedWords(asked, text, weightOf);
    return {
      error: errorEvidence(learning, text, { ...failures, messages }, weightOf),
      family: near === 0 ? 0 : familyShare(learning, related, near),
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
  { keys, codes, messages }: Omit<AskedFailures, "messages"> & { messages: readonly ReadonlySet<string>[] },
  weightOf: WordWeight,
): number {
  if (key !== undefined && [key, ...aliases].some((each) => keys.includes(each))) return 1;
  if (codes.some((code) => text.has(code))) return weights.sameCode;
  const best = Math.max(
    0,
    ...messages.map((words) => {
      const { strength, coverage } = sharedWords(words, text, weightOf);
      return strength >= weights.leastErrorWords ? coverage : 0;
    }),
  );
  return best >= weights.leastErrorCoverage ? best * weights.similarError : 0;
}

function sharedWords(
  asked: ReadonlySet<string>,
  text: ReadonlySet<string>,
  weightOf: WordWeight,
): { strength: number; coverage: number; shared: string[] } {
  const weighted = [...asked].map((word) => ({ word, weight: weightOf(word) }));
  const all = weighted.reduce((sum, { weight }) => sum + weight, 0);
  const shared = weighted
    .filter(({ word }) => text.has(word))
    .sort((one, other) => other.weight - one.weight);
  const strength = shared.reduce(
    (sum, { weight }) => sum + (weight >= weights.leastWordWeight ? weight : 0),
    0,
  );
  return { strength, coverage: all === 0 ? 0 : strength / all, shared: shared.map(({ word }) => word) };
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

/** How specific a stem is: rare in the store's learnings and in texts about software. */
async function makeWordWeight(lexical: Repositories["lexical"], text: string): Promise<WordWeight> {
  const records = await lexical.estimateDocuments(learningKind);
  const words = questionWords(text).slice(0, weights.countedWords);
  const limit = Math.max(weights.leastCounted, Math.ceil(records * weights.countedShare));
  const counts = words.length === 0 ? [] : await lexical.countHolding(learningKind, words, limit);
  const holding = new Map(words.map((word, place) => [looseStem(word), counts[place] ?? 0]));
  // A small store says little about which words are rare.
  const trust = weights.backgroundTexts / (weights.backgroundTexts + records);
  const weightOf = (stem: string) => {
    if (isGenericWord(stem)) return 0;
    const weight =
      trust * -Math.log(backgroundShare(stem)) +
      (1 - trust) * -Math.log(Math.max(1, holding.get(stem) ?? 1) / Math.max(1, records));
    const most = isCommonWord(stem)
      ? weights.mostCommonWeight + weights.mostCommonInSmall * trust
      : weights.mostWordWeight;
    return Math.min(most, Math.max(0, weight));
  };
  return Object.assign(weightOf, { least: weights.leastWords + weights.leastWordsInLarge * (1 - trust) });
}

function stemsOf(text: string): Set<string> {
  return new Set(
    wordsOf(text)
      .filter(
        (word) => word.length > 1 && word.length <= 40 && !stopWords.has(word) && !/^\d{1,2}$/.test(word),
      )
      .map(looseStem),
  );
}

/** Whether a learning mentions one of these files, or came from work on them. */
function concernsFiles({ content, files = [] }: Learning, asked: readonly string[]): boolean {
  const own = [content.pattern ?? "", ...(content.examples ?? []), ...files];
  return asked.some((file) => own.some((path) => path.includes(file)));
}
