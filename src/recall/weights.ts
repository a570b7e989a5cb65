/** Weights, limits and lengths of recall; docs/decisions/0014-recall-scoring.md says what was measured. */

/** What each signal adds to the score of a record. */
export const signalWeights = {
  /** Relevance to the question dominates. */
  text: 0.7,
  /** Breaks ties between records of about equal relevance. */
  prior: 0.2,
  /** The record mentions a current error. */
  errors: 0.15,
  /** The record mentions a current file. Low, because many records mention the same files. */
  files: 0.05,
  /** Tasks went better with it than without. */
  evidence: 0.2,
  /** Its files have changed since: still shown, but lower. */
  stale: -0.3,
} as const;

/** Weights of the kinds of memory, for ranking across kinds and for dividing the budget. */
export const tierWeights = { semantic: 0.5, episodic: 0.3, skills: 0.2 } as const;

export const relevance = {
  /** Covering this share of a question counts as full: no text repeats a whole question. */
  fullCoverage: 0.6,
  /** Hits below this share of the best score are chance matches. */
  leastOfBestScore: 0.3,
  /** The first vector hits need no shared word, and have at least this relevance. */
  trustedByMeaning: 4,
  leastByMeaning: 0.5,
} as const;

export const notes = {
  /** Somebody took the trouble to write it down. */
  prior: 0.6,
  /** Added to the prior of a new note, falling to 0 with age. */
  recency: 0.1,
  /** Hits per question. */
  found: 16,
  /** The newest other notes that may fill the remaining room. */
  filling: 60,
  /** The newest notes, when no objective is known yet. */
  newest: 8,
} as const;

export const learnings = {
  /** Of each type, when no objective is known yet; conventions hold for any objective. */
  bestOfType: 2,
  bestConventions: 5,
  /** Then also the newest: what is shown at every start is used most, and would be the best for ever. */
  newest: 2,
  /** Hits per question; in a large index the search stops at `enough`. */
  found: 24,
  enough: 10,
} as const;

/** When a learning is worth showing: it shares a failure, a family of tasks, a file, a rare word or several common ones. */
export const learningEvidence = {
  /** Shared words must weigh this much together, and more in a large store, where more is shared by chance. */
  leastWords: 3.2,
  leastWordsInLarge: 0.8,
  /** Words below this are in too many texts to count. */
  leastWordWeight: 1.2,
  mostWordWeight: 5.5,
  /** A word of everyday language weighs at most this, and more in a small store. */
  mostCommonWeight: 2.6,
  mostCommonInSmall: 0.8,
  /** The word frequency table counts as this many texts in addition to the store's. */
  backgroundTexts: 30,
  countedWords: 48,
  countedShare: 0.02,
  leastCounted: 200,
  /** A message must share this much with a learning to be about a similar failure. */
  leastErrorWords: 4.5,
  leastErrorCoverage: 0.4,
  similarError: 0.8,
  sameCode: 0.8,
  /** Needed share of related tasks, unless words or errors match as well. */
  leastFamily: 0.15,
  shownWords: 4,
  /** The score of every learning that is shown; what each kind of evidence adds to it. */
  relevant: 0.4,
  score: { error: 0.9, family: 0.5, words: 0.5, files: 0.1, prior: 0.05, evidence: 0.2, stale: -0.3 },
  /** Learnings below this share of the best one are left out. */
  leastOfBest: 0.4,
  shown: 4,
} as const;

export const skills = {
  /** Matched before chance matches are dropped. */
  matched: 5,
  shown: 3,
  /** A single shared word is a chance match. */
  leastWords: 2,
  /** The match score that counts as half. */
  halfScore: 4,
} as const;

/** How many of each kind agents get before a task. */
export const best = { semantic: 5, episodic: 3, overall: 5 } as const;

/** Similar tasks; the fitted numbers are in docs/decisions/0012-similar-tasks.md. */
export const similarTasks = {
  /** Candidates to compare; among many tasks fewer, and the search stops at `enough`. */
  candidates: 40,
  candidatesOfMany: 16,
  manyTasks: 2_000,
  enough: 5,
  /** Shown when no objective is known yet, and what the very last one scores. */
  latest: 2,
  ofLatest: 0.6,
  /** Words of the objective whose frequency is counted; counting stops at this share of the tasks. */
  countedWords: 48,
  countedShare: 0.02,
  leastCounted: 200,
  comparedErrors: 5,
  comparedFiles: 10,
  /** Path words of a lower total weight name a file only in part: `package` of `package.json`. */
  leastNamed: 2.5,
  /** Errors that share words of at least this total weight can be the same. */
  tellingError: 12,
  /** Smaller differences in similarity count as none. */
  nearlyEqual: 0.05,
  /** Weight of a word by position: first line, next `tellingLength` characters, up to `readLength`. */
  position: { firstLine: 1, opening: 0.5, rest: 0.2 },
  readLength: 2_000,
  longestWord: 64,
  /** The word frequency table counts as this many texts in addition to the store's. */
  backgroundTexts: 30,
  mostTermWeight: 5.5,
  /** Words of at least this weight are specific. */
  tellingFrom: 2,
  /** How much a single word can name of a path. */
  oneWordNearness: 0.5,
  /** If files are unknown, the coverage of the first lines replaces them, times this. */
  firstLinesForFiles: 0.35,
  /** A shared error says less than a file: the same message comes from many places. */
  errorRate: 0.7,
  slope: 9,
  offset: 6,
  /** What a word of a task's record counts: in its description, and in each text of another field, up to `most`. */
  record: { description: 3, most: 3, error: 0.7, files: 4 },
  /** The same sentence but for names and numbers is of one family; it has at least `leastPattern` other words. */
  frame: { logit: 1.2, crowd: 0.6 },
  leastPattern: 3,
  /** Tasks of one family: all that their records say, and what else speaks for it. */
  evidence: {
    record: 15,
    support: 24,
    errors: 9,
    kind: 3.75,
    offset: 2.2,
    leastErrors: 0.25,
    /** From here on, the odds fall with the number of tasks. */
    fewRecords: 100,
    crowd: 1.8,
    /** They fall with the length of the objective, too. */
    shortLength: 120,
    long: 2,
    /** Log odds grow more slowly from here on: nothing is certain. */
    sure: 1,
    /** The count of a word that is half as good as any; how much of it depends on the record's length. */
    halfCount: 1.2,
    lengthShare: 0.5,
    /** Objectives that say less than this in all are covered by chance. */
    leastSaid: 8,
    /** How much the coverage counts by none, and by one specific word. */
    bySpecificWords: [0.3, 0.6],
    /** Fewer candidates are compared with a mean as if there were this many. */
    usualOf: 30,
    /** The best records, which those like them gain from. */
    supporters: 10,
  },
  /** A kind of work says less when more tasks than this are of it. */
  kind: { crowded: 10, texts: 3, leastRarity: 0.2 },
  /** What tasks like this took. */
  estimate: {
    /** A wider net than for the tasks that are shown. */
    near: 0.4,
    /** One task at least is this similar. */
    nearest: 0.7,
    leastTasks: 3,
    mostTasks: 12,
  },
  /** Vector similarity above `neutralVectors` raises the chance, below it lowers it. */
  neutralVectors: 0.3,
  vectorSlope: 10,
  /** Words returned to explain a similarity. */
  shownWords: 8,
  /** Failures shown of one task. */
  shownFailures: 1,
  /** Beside this many learnings, this many tasks are shown. */
  manyLearnings: 3,
  besideMany: 2,
  /** A statement that shares this much with an earlier one says nothing new. */
  saidBefore: 0.7,
} as const;

/** Tasks whose problems are likely to be met again; one at least is as similar as `nearest`. */
export const relatedTasks = { leastSimilarity: 0.4, nearest: 0.7, most: 8 } as const;

export const reflections = { shownSteps: 4 } as const;

/** Statements that share fewer words are not compared further. */
export const leastSharedWords = 0.7;

/** Maximum characters of a record in a brief. */
export const shownLength = {
  learning: 320,
  problem: 110,
  skill: 300,
  reflection: 600,
  taskDescription: 120,
  taskLine: 110,
} as const;
