import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { compareStatements, sameStatement } from "../../words/similarity.js";
import { type StatementWords, statementWords } from "../../words/statement-words.js";
import { isComparedByKey, statementKey } from "./write-learning.js";

interface Entry {
  learning: Learning;
  bag: StatementWords;
}

/** Candidates are looked up by this many of the rarest words of a statement. */
const maxLookupWords = 4;
const maxCandidates = 60;

/** An in-memory index of learnings, for finding duplicates without a query each. */
export class StatementIndex {
  readonly #byStatement = new Map<string, Entry[]>();
  readonly #byWord = new Map<string, Entry[]>();
  readonly #entries = new Map<string, Entry>();

  constructor(learnings: Iterable<Learning> = []) {
    for (const learning of learnings) this.add(learning);
  }

  add(learning: Learning): void {
    const entry: Entry = { learning, bag: statementWords(statementOf(learning)) };
    this.#entries.set(learning.id, entry);
    append(this.#byStatement, exactKey(learning), entry);
    for (const word of entry.bag.weights.keys()) append(this.#byWord, wordKey(learning, word), entry);
  }

  /** Replaces the record with the same id; it stays indexed under its earlier statement. */
  replace(learning: Learning): void {
    const entry = this.#entries.get(learning.id);
    if (entry === undefined) this.add(learning);
    else entry.learning = learning;
  }

  /** Learnings of the same type that say the same. */
  listDuplicates(found: ExtractedLearning | Learning): Learning[] {
    const known = "id" in found ? this.#entries.get(found.id) : undefined;
    const equal = this.#byStatement.get(exactKey(found)) ?? [];
    if (isComparedByKey(found)) return equal.map(({ learning }) => learning);
    const bag = known?.bag ?? statementWords(statementOf(found));
    const same = new Map(equal.map(({ learning }) => [learning.id, learning]));
    for (const { learning, bag: other } of this.#candidates(found, bag))
      if (!isComparedByKey(learning) && compareStatements(bag, other) >= sameStatement)
        same.set(learning.id, learning);
    return [...same.values()];
  }

  #candidates(found: ExtractedLearning, bag: StatementWords): Set<Entry> {
    const lists = [...bag.weights.keys()]
      .map((word) => this.#byWord.get(wordKey(found, word)) ?? [])
      .filter((entries) => entries.length > 0)
      .sort((one, other) => one.length - other.length)
      .slice(0, maxLookupWords);
    const candidates = new Set<Entry>();
    for (const entries of lists) {
      for (const entry of entries.slice(0, maxCandidates)) candidates.add(entry);
      if (candidates.size >= maxCandidates) break;
    }
    return candidates;
  }
}

function exactKey(learning: ExtractedLearning): string {
  const taskType = learning.type === "estimate" ? ` ${learning.taskType}` : "";
  return `${learning.type}${taskType} ${statementKey(learning)}`;
}

function wordKey({ type }: ExtractedLearning, word: string): string {
  return `${type} ${word}`;
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
