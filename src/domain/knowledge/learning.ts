export const learningTypes = [
  "strategy",
  "antipattern",
  "estimate",
  "convention",
  "pattern",
  "fact",
] as const;

export type LearningType = (typeof learningTypes)[number];

/** The types that are extracted from a loop; the others come from consolidation and import. */
export const extractedTypes = ["strategy", "antipattern", "estimate", "convention"] as const;

export type ExtractedType = (typeof extractedTypes)[number];

export const taskTypes = [
  "test-fix",
  "feature",
  "refactor",
  "bug-fix",
  "documentation",
  "architecture",
  "performance",
  "research",
  "general",
] as const;

export type TaskType = (typeof taskTypes)[number];

export const complexities = ["low", "medium", "high"] as const;

export type Complexity = (typeof complexities)[number];

/** What a learning says. Which fields are there depends on its type; fields of other tools are kept. */
export interface LearningContent {
  /** The statement of a strategy, an antipattern, a pattern or a fact. */
  description?: string;
  /** Of a strategy: the share of successful iterations that used it. */
  effectiveness?: number;
  /** Of a strategy: how many iterations used it with success. */
  iterations?: number;
  /** Of an antipattern: how often it was met. */
  occurrences?: number;
  impact?: string;
  /** Of an antipattern that comes from an error with a resolution. */
  what_fails?: string;
  why?: string;
  prevention?: string;
  /** Of an estimate: milliseconds. */
  avgIterationTime?: number;
  totalIterations?: number;
  complexity?: Complexity;
  successRate?: number;
  /** The statement of a convention. */
  pattern?: string;
  examples?: string[];
  [field: string]: unknown;
}

/** What else may be known of a learning. */
export interface LearningDetails {
  category?: string;
  /** When it applies. */
  conditions?: string[];
  correct_approach?: string;
  incorrect_approach?: string;
  /** The attempts behind it, such as `task-001/2`. */
  source_episodes?: string[];
  /** The files it speaks of, and the commit at which they were as it says. */
  files?: string[];
  git_commit?: string;
}

/** What extraction finds in a loop and promotion looks at. */
export interface ExtractedLearning extends LearningDetails {
  type: LearningType;
  /** One of `taskTypes`, or a word of another tool. */
  taskType: string;
  content: LearningContent;
  /** From 0 to 1. */
  confidence: number;
  /** The loops or tasks that it was drawn from. */
  sourceLoops: string[];
  /** From 0 to 1; always 0 for an antipattern. */
  successRate: number;
}

/** General knowledge drawn from attempts, with its sources. Fields are named as in the published schemas. */
export interface Learning extends ExtractedLearning {
  /** `learn-` and twelve hexadecimal digits. */
  id: string;
  createdAt: string;
  updatedAt: string;
  /** How often it was handed out. */
  useCount: number;
  last_used?: string;
  /** The id of the learning that took its place. */
  superseded_by?: string;
  /** Present once others were merged into it. */
  merged?: MergedFigures;
}

/** Where the figures of a merged learning come from, so that merging the same again counts nothing twice. */
export interface MergedFigures {
  /** How confident the record was whose wording was kept. */
  wordingConfidence: number;
  /** By source loop. */
  sources: Record<string, SourceFigures>;
  /** How often the others had been used, by their ids. */
  uses: Record<string, number>;
}

/** What one source loop says about a learning. */
export interface SourceFigures {
  confidence: number;
  successRate: number;
  /** Iterations, occurrences, or 1. */
  count: number;
  avgIterationTime?: number;
  totalIterations?: number;
}

export const stagingStatuses = ["pending", "validated", "rejected"] as const;

export type StagingStatus = (typeof stagingStatuses)[number];

/** A learning that waits to be validated and promoted. */
export interface StagedLearning {
  /** `stage-<milliseconds>-<number>`. */
  id: string;
  learning: ExtractedLearning;
  status: StagingStatus;
  stagedAt: string;
  validatedAt?: string;
  rejectionReason?: string;
}

/** The document in which the staging area is exchanged. */
export interface StagingDocument {
  version: string;
  checksum: string;
  lastUpdated: string;
  staged: StagedLearning[];
}

/** The document in which a whole store of learnings is exchanged. */
export interface LearningsDocument {
  version: string;
  checksum: string;
  lastUpdated: string;
  learnings: Learning[];
  stats: LearningStats;
}

export interface LearningStats {
  totalLearnings: number;
  byType: Record<string, number>;
  byTaskType: Record<string, number>;
}

export function isLearningType(word: string): word is LearningType {
  return (learningTypes as readonly string[]).includes(word);
}

export function isExtractedType(word: string): word is ExtractedType {
  return (extractedTypes as readonly string[]).includes(word);
}

export function isTaskType(word: string): word is TaskType {
  return (taskTypes as readonly string[]).includes(word);
}
