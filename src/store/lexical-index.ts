/** The kinds of record that can be searched. */
export const searchKinds = ["note", "task", "learning"] as const;

export type SearchKind = (typeof searchKinds)[number];

/** Identifies one searchable record; copies of a record, such as the notes of two files, differ in source. */
export interface DocumentKey {
  kind: SearchKind;
  id: string;
  source: string;
}

/** The searchable text of a record, already split into words. */
export interface SearchDocument extends DocumentKey {
  title: string;
  body: string;
  tags: string;
  files: string;
  errors: string;
  /** The date it was written, in the words people search with. */
  dates?: string;
  /** Words that are kept to be read back, since the record does not hold them; they are searched as part of the body. */
  kept?: string;
  /** Filters, such as `type:fix`. */
  labels: string[];
  /** Milliseconds; breaks ties: newest first. */
  time: number;
}

export type FieldWeights = Record<"title" | "body" | "tags" | "files" | "errors", number> & {
  dates?: number;
};

/** Which records a query may show. */
export interface LexicalScope {
  kind: SearchKind;
  sources: readonly string[];
  /** A result needs one label of each group. */
  labelGroups: readonly (readonly string[])[];
  /** Only records of this time, in milliseconds, or later. */
  since?: number | undefined;
}

/** One word of each group, or else all of the alternative. */
export interface RequiredWords {
  groups: readonly (readonly string[])[];
  alternative?: readonly string[] | undefined;
  /** Required words score twice; these are repeated to match. */
  boosted?: readonly string[];
  /** Required words that score once, beside others of their group: to score by a frequent word takes reading all that hold it. */
  scoredOnce?: readonly string[];
}

/** What a match is scored by beside what is required of it. */
export function scoredBeside(
  words: readonly string[],
  { boosted = [], scoredOnce = [] }: RequiredWords,
): readonly string[] {
  return [...words.filter((word) => !scoredOnce.includes(word)), ...boosted];
}

/** Which of the best matches are returned: the first ones, and those with another one near them. */
export interface MatchContext {
  first: number;
  /** Documents are numbered as they are indexed; the greatest difference of two that are near each other. */
  distance: number;
}

export interface LexicalQuery extends LexicalScope {
  /** Any of these words; a word may end in `*`, and counts as often as it is listed. */
  words: readonly string[];
  /** What must be there; other words only add to the score. */
  required?: RequiredWords | undefined;
  /** Best score first by default; "newest" returns the last indexed first and "any" whichever is found first, without scores. */
  order?: "newest" | "any";
  weights: FieldWeights;
  /** Matches outside the scope are returned as well, marked, and each match has its length: for ranking by context. */
  context?: MatchContext | undefined;
  /** -1 for all. */
  limit: number;
}

/** A document that is there, and the time that it was indexed with. */
export interface IndexedDocument extends Omit<LexicalHit, "score"> {
  time: number;
}

export interface LexicalHit {
  id: string;
  source: string;
  /** Higher is better. */
  score: number;
}

/** A hit with what ranking needs to know about its document. */
export interface LexicalMatch extends LexicalHit {
  /** Grows by one with each document that is indexed. */
  documentNumber: number;
  /** Milliseconds. */
  time: number;
  /** False for a match outside the scope. */
  isAllowed: boolean;
  /** Words in all fields, of a match with a score. */
  length?: number;
}

/** Unique per result: one record may come from several sources. */
export function keyOfHit({ source, id }: Omit<LexicalHit, "score">): string {
  return `${source} ${id}`;
}

/** From here on an index is large: counts are estimated, and not every match is ranked. */
export const largeIndexFrom = 2_000;

/** Full-text search over every kind of record. */
export interface LexicalIndex {
  put(document: SearchDocument): Promise<void>;
  /** The same for many, in few round trips. */
  putAll(documents: readonly SearchDocument[]): Promise<void>;
  remove(key: DocumentKey): Promise<void>;
  /** Matches by score, ties in any order; `search/rank-matches.ts` does the rest. */
  search(query: LexicalQuery): Promise<LexicalMatch[]>;
  /** The documents with these ids that are within a scope. */
  keepAllowed(scope: LexicalScope, ids: readonly string[]): Promise<IndexedDocument[]>;
  /** Exact for a small index, an estimate for a large one. */
  estimateDocuments(kind: SearchKind): Promise<number>;
  /** Whether any document is within a scope. */
  hasAllowed(scope: LexicalScope): Promise<boolean>;
  /** How many documents hold each word, counted up to a limit. A word may end in `*`. */
  countHolding(kind: SearchKind, words: readonly string[], limit: number): Promise<number[]>;
  /** The same; a word in more documents than the limit gets an estimate, from how much of the index holds that many. */
  estimateHolding(kind: SearchKind, words: readonly string[], limit: number): Promise<number[]>;
  /** Counts the words that many documents hold, after many were indexed at once; else that is done with a backup. */
  countFrequentWords(): Promise<void>;
  /** The kept words of documents, by id; those without any are left out. */
  readKept(kind: SearchKind, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Throws `index-damaged` when the index is incomplete or corrupt. */
  verify(): Promise<void>;
}

/** Of matches, the best first, those that a context asks for. */
export function withinContext<Match extends { documentNumber: number }>(
  best: readonly Match[],
  { first, distance }: MatchContext,
): Match[] {
  if (first === -1 || best.length <= first) return [...best];
  const numbers = Float64Array.from(best, ({ documentNumber }) => documentNumber).sort();
  const near = new Set<number>();
  for (let at = 1; at < numbers.length; at += 1) {
    const [one, other] = [numbers[at - 1] as number, numbers[at] as number];
    if (other - one <= distance) near.add(one).add(other);
  }
  return best.filter(({ documentNumber }, place) => place < first || near.has(documentNumber));
}
