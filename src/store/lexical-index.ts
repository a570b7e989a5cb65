/** The kinds of record that can be searched. */
export const searchKinds = ["note", "task", "learning"] as const;

export type SearchKind = (typeof searchKinds)[number];

/** Identifies one searchable record; the source tells apart copies of one record, such as two files' notes. */
export interface DocumentKey {
  kind: SearchKind;
  id: string;
  source: string;
}

/** What can be found of a record, already split into words. */
export interface SearchDocument extends DocumentKey {
  title: string;
  body: string;
  tags: string;
  files: string;
  errors: string;
  /** When it was written, in the words that people use for it. */
  dates?: string;
  /** What results can be narrowed to, such as `type:fix`. */
  labels: string[];
  /** Milliseconds; the newer of two equally good results comes first. */
  time: number;
}

export type FieldWeights = Record<"title" | "body" | "tags" | "files" | "errors", number> & {
  dates?: number;
};

/** What was written shortly before and after a record often tells what it is about. */
export interface Neighbours {
  /** How many on either side. */
  count: number;
  /** Milliseconds; what was written with a longer pause belongs to something else. */
  within: number;
  /** The share of its score that a result adds to those of its neighbours that are results as well. */
  share: number;
  /** So many words of a document get the whole share, longer ones less. */
  upTo: number;
}

/** Which records a query may show. */
export interface LexicalScope {
  kind: SearchKind;
  sources: readonly string[];
  /** A result needs one label of each group. */
  labelGroups: readonly (readonly string[])[];
  /** Only records of this time, in milliseconds, or later. */
  since?: number | undefined;
}

/** One word of each group, or else all of some others. */
export interface RequiredWords {
  groups: readonly (readonly string[])[];
  orAll?: readonly string[] | undefined;
  /** What is required counts once more; so do these. */
  alike?: readonly string[];
}

export interface LexicalQuery extends LexicalScope {
  /** Any of these words; a word may end in `*`, and counts as often as it is there. */
  words: readonly string[];
  /** What must be there; other words only add to the score. */
  required?: RequiredWords | undefined;
  /** The best by their words, unless it is said: then those that were indexed last, without a score. */
  order?: "newest";
  weights: FieldWeights;
  neighbours?: Neighbours;
  /** -1 for all. */
  limit: number;
}

export interface LexicalHit {
  id: string;
  source: string;
  /** Higher is better. */
  score: number;
}

/** Tells results apart: a record may be there from several sources. */
export function keyOfHit({ source, id }: Omit<LexicalHit, "score">): string {
  return `${source} ${id}`;
}

/** An index of so many documents and more is a large one: they are not counted any further, nor all of them ranked. */
export const exactlyCounted = 2_000;

/** Full-text search over every kind of record. */
export interface LexicalIndex {
  put(document: SearchDocument): Promise<void>;
  remove(key: DocumentKey): Promise<void>;
  search(query: LexicalQuery): Promise<LexicalHit[]>;
  /** Those of the ids that a query of this kind may show. */
  keepAllowed(query: LexicalScope, ids: readonly string[]): Promise<Omit<LexicalHit, "score">[]>;
  /** How many documents there are, and about how many where there are more than are counted exactly. */
  estimateDocuments(kind: SearchKind): Promise<number>;
  /** Whether a query of this kind may show any document. */
  hasAllowed(query: LexicalScope): Promise<boolean>;
  /** How many documents hold each of the words, counted up to a limit. A word may end in `*`. */
  countHolding(kind: SearchKind, words: readonly string[], limit: number): Promise<number[]>;
  /** Throws `index-damaged` when the index does not hold what it should. */
  verify(): Promise<void>;
}
