/** Weights, limits and lengths of recall; docs/decisions/0014-recall-scoring.md says what was measured. */

/** What each signal of a record adds to its score. */
export const signalWeights = {
  /** What answers the question comes first. */
  text: 0.7,
  /** Breaks ties among records that answer it about equally well. */
  prior: 0.2,
  /** A record that names an error at hand. */
  errors: 0.15,
  /** A record that names a file at hand: many records name the same files. */
  files: 0.05,
  /** Tasks that were shown it went better than those that were not. */
  evidence: 0.2,
  /** Its files have changed since: shown, but further down. */
  stale: -0.3,
} as const;

/** The kinds of memory: these multiply scores across kinds and divide a budget. */
export const tierWeights = { semantic: 0.5, episodic: 0.3, skills: 0.2 } as const;

export const relevance = {
  /** Covering this much of a question is as good as covering all of it: nobody repeats a whole question. */
  fullCoverage: 0.6,
  /** A hit whose score is a smaller share of the best one's shares a word by chance. */
  leastOfBestScore: 0.3,
  /** The same for the share of the question that a learning covers. */
  leastOfBestCoverage: 0.25,
  /** The first vector hits count without a shared word, and at least this much. */
  trustedByMeaning: 4,
  leastByMeaning: 0.5,
  /** A text that holds the words of a question only in another form covers this share of them. */
  otherForm: 0.7,
} as const;

export const notes = {
  /** What somebody took the trouble to write down, whatever is asked. */
  prior: 0.6,
  /** Added to the prior of a note of today, falling to 0 with age. */
  recency: 0.1,
  /** Found for one question. */
  found: 16,
  /** The newest others that fill what room is left, where wanted. */
  filling: 60,
} as const;

export const learnings = {
  /** Found for one question, and how many end the search in a large index. */
  found: 24,
  enough: 10,
  /** Shown of each section. */
  shown: { strategies: 5, avoid: 5, estimates: 1, conventions: 5 },
  /** Shown although they share only the kind of task with the question. */
  sameKindOnly: 2,
  /** Needed to be shown for the kind of task alone. */
  leastConfidence: 0.3,
} as const;

export const skills = {
  /** Matched before chance matches are dropped. */
  matched: 5,
  shown: 3,
  /** One shared word is chance. */
  leastWords: 2,
  /** The match score that counts as half. */
  halfScore: 4,
} as const;

/** The best of all kinds, as agents get them before a task. */
export const best = { semantic: 5, episodic: 3, overall: 5 } as const;

/** Similar tasks; the fitted numbers are in docs/decisions/0012-similar-tasks.md. */
export const similarTasks = {
  /** Compared, and how many end the search in a large index: one shared frequent word makes no task similar. */
  candidates: 16,
  enough: 5,
  /** Words of the objective whose frequency is counted, up to this share of the tasks. */
  countedWords: 32,
  countedShare: 0.02,
  leastCounted: 200,
  comparedErrors: 5,
  comparedFiles: 10,
  /** Similarities that differ by less count as equal. */
  nearlyEqual: 0.05,
  /** What a word counts in the first line, in the next `openingLength` characters, and up to `readLength`. */
  position: { firstLine: 1, opening: 0.5, rest: 0.2 },
  readLength: 2_000,
  longestWord: 64,
  /** The table of word frequencies counts as this many texts beside those of the store. */
  backgroundTexts: 30,
  mostTermWeight: 5.5,
  /** Words of this weight tell what a text is about. */
  tellingFrom: 2,
  /** A single telling word in common makes texts this near at most, unless neither says more. */
  oneWordNearness: 0.5,
  /** Where files are unknown, first lines that cover each other stand in for them, at this rate. */
  firstLinesForFiles: 0.35,
  /** An error met again tells less than a file: the same message comes from many places. */
  errorRate: 0.7,
  slope: 9,
  offset: 6,
  /** Words that are returned to explain a similarity. */
  shownWords: 8,
  shownReflections: 5,
} as const;

export const reflections = { shownSteps: 4 } as const;

/** Statements that share fewer of their words do not say the same: a cheap check before the exact one. */
export const leastSharedWords = 0.7;

/** Characters of a record that a brief shows. */
export const shownLength = {
  learning: 400,
  skill: 300,
  reflection: 600,
  taskDescription: 200,
  taskSummary: 400,
  taskReflection: 400,
} as const;
