import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { type Bag, bagOf } from "../../words/compare/bag.js";
import { bagSimilarity, sameStatement } from "../../words/compare/similarity.js";
import { statementKey } from "./statement-key.js";

interface Entry {
  learning: Learning;
  bag: Bag;
}

/** Of the words that a statement has, so many of the rarest lead to those that may say the same. */
const leadingWords = 4;
const maxCandidates = 60;

/** Many learnings in memory, for finding those that say the same without a search for each. */
export class StatementIndex {
  readonly #byLikeness = new Map<string, Entry[]>();
  readonly #byWord = new Map<string, Entry[]>();
  readonly #entries = new Map<string, Entry>();

  constructor(learnings: Iterable<Learning> = []) {
    for (const learning of learnings) this.add(learning);
  }

  add(learning: Learning): void {
    const entry: Entry = { learning, bag: bagOf(statementOf(learning)) };
    this.#entries.set(learning.id, entry);
    append(this.#byLikeness, likenessKey(learning), entry);
    for (const word of entry.bag.weights.keys()) append(this.#byWord, wordKey(learning, word), entry);
  }

  /** Puts a changed record in the place of the one with its id. */
  replace(learning: Learning): void {
    const entry = this.#entries.get(learning.id);
    if (entry === undefined) this.add(learning);
    else entry.learning = learning;
  }

  /** Those of the same type, for the same kind of task, that say the same. */
  listSame(found: ExtractedLearning | Learning): Learning[] {
    const known = "id" in found ? this.#entries.get(found.id) : undefined;
    const equal = this.#byLikeness.get(likenessKey(found)) ?? [];
    if (found.type === "estimate") return equal.map(({ learning }) => learning);
    const bag = known?.bag ?? bagOf(statementOf(found));
    const same = new Map(equal.map(({ learning }) => [learning.id, learning]));
    for (const { learning, bag: other } of this.#candidates(found, bag))
      if (bagSimilarity(bag, other) >= sameStatement) same.set(learning.id, learning);
    return [...same.values()];
  }

  #candidates(found: ExtractedLearning, bag: Bag): Set<Entry> {
    const lists = [...bag.weights.keys()]
      .map((word) => this.#byWord.get(wordKey(found, word)) ?? [])
      .filter((entries) => entries.length > 0)
      .sort((one, other) => one.length - other.length)
      .slice(0, leadingWords);
    const candidates = new Set<Entry>();
    for (const entries of lists) {
      for (const entry of entries.slice(0, maxCandidates)) candidates.add(entry);
      if (candidates.size >= maxCandidates) break;
    }
    return candidates;
  }
}

function likenessKey(learning: ExtractedLearning): string {
  return `${learning.type} ${learning.taskType} ${statementKey(learning)}`;
}

function wordKey({ type, taskType }: ExtractedLearning, word: string): string {
  return `${type} ${taskType} ${word}`;
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
