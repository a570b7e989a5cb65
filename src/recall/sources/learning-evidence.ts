import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { failureOf } from "../../failures/failure.js";
import { failureKey, templateOf } from "../../failures/failure-key.js";
import { findFailures } from "../../failures/find-failures.js";
import { learningKind } from "../../search/record-kinds.js";
import type { LexicalIndex, SearchKind } from "../../store/lexical-index.js";
import type { Repositories } from "../../store/store.js";
import { isCommonWord } from "../../text/tokens/common-words.js";
import { looseStem } from "../../words/stem.js";
import { backgroundShare } from "../../words/word-frequencies.js";
import { isGenericWord } from "../../words/word-lists.js";
import { contentStems } from "../../words/word-weight.js";
import { questionWords } from "../../words/words.js";
import type { RecallQuestion } from "../recall-question.js";
import { learningEvidence as weights } from "../weights.js";

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

type WeighLearning = (learning: Learning, related: RelatedTasks) => LearningEvidence;

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

interface WordWeight {
  (stem: string): number;
  /** What shared words must weigh together to count. */
  least: number;
}

/** What is asked: its words, the most specific first, and what all of them weigh. */
interface WeighedWords {
  words: readonly { word: string; weight: number }[];
  all: number;
}

function weighWords(asked: ReadonlySet<string>, weightOf: WordWeight): WeighedWords {
  const words = [...asked].map((word) => ({ word, weight: weightOf(word) }));
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  return { words: words.sort((one, other) => other.weight - one.weight), all };
}

/** How much of what is asked a text has: the weight of the shared words, and their share of all. */
function sharedWords(
  { words, all }: WeighedWords,
  text: ReadonlySet<string>,
): { strength: number; coverage: number; shared: string[] } {
  const shared = words.filter(({ word }) => text.has(word));
  const strength = shared.reduce(
    (sum, { weight }) => sum + (weight >= weights.leastWordWeight ? weight : 0),
    0,
  );
  return { strength, coverage: all === 0 ? 0 : strength / all, shared: shared.map(({ word }) => word) };
}

/** How specific a stem is: rare in the store's records of a kind and in texts about software. */
async function makeWordWeight(lexical: LexicalIndex, kind: SearchKind, text: string): Promise<WordWeight> {
  const records = await lexical.estimateDocuments(kind);
  const words = questionWords(text).slice(0, weights.countedWords);
  const limit = Math.max(weights.leastCounted, Math.ceil(records * weights.countedShare));
  const counts = words.length === 0 ? [] : await lexical.countHolding(kind, words, limit);
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

export function stemsOf(text: string): Set<string> {
  return new Set(contentStems(text, { shortest: 2, longest: 40 }));
}

/** The failures that a question names. */
export interface AskedFailures {
  keys: readonly string[];
  /** The message of each, without values. */
  messages: readonly string[];
  /** Codes in the texts, such as TS2345, in lower case. */
  codes: readonly string[];
}

const code = /\b(?:[A-Z][A-Za-z]{0,9}\d{3,5}|E[A-Z]{3,12}|ERR_[A-Z_]+)\b/g;

export function askedFailures(errors: readonly string[]): AskedFailures {
  const failures = errors.flatMap((error) => {
    const found = findFailures(error);
    return found.length > 0 ? found : [failureOf(error)];
  });
  const keys = failures.flatMap((failure) => [failure, { message: failure.message }]).map(failureKey);
  return {
    keys: [...new Set(keys.map(({ key }) => key))],
    codes: [...new Set(errors.flatMap((error) => error.match(code) ?? []))].map((found) =>
      found.toLowerCase(),
    ),
    messages: failures.map(({ code = "", message }) => `${code} ${templateOf(message)}`),
  };
}
