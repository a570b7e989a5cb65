export const learningTypes = [
  "strategy",
  "antipattern",
  "estimate",
  "convention",
  "pattern",
  "fact",
] as const;

export type LearningType = (typeof learningTypes)[number];

/** Types that are extracted from a loop; the others come from consolidation and imports. */
export const extractedTypes = ["strategy", "antipattern", "estimate", "convention"] as const;

type ExtractedType = (typeof extractedTypes)[number];

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

const complexities = ["low", "medium", "high"] as const;

export type Complexity = (typeof complexities)[number];

/** What a learning says. Fields depend on the type; fields of other tools are kept. */
export interface LearningContent {
  /** The statement of a strategy, an antipattern, a pattern or a fact. */
  description?: string;
  /** Strategy: the share of successful iterations that used it. */
  effectiveness?: number;
  /** Strategy: how many successful iterations used it. */
  iterations?: number;
  /** Antipattern: how often it occurred. */
  occurrences?: number;
  impact?: string;
  /** Antipattern that comes from an error with a resolution. */
  what_fails?: string;
  why?: string;
  prevention?: string;
  /** Estimate: milliseconds. */
  avgIterationTime?: number;
  totalIterations?: number;
  complexity?: Complexity;
  successRate?: number;
  /** The statement of a convention. */
  pattern?: string;
  /** The topic of a convention drawn from observed habits; there is one convention per topic. */
  subject?: string;
  examples?: string[];
  [field: string]: unknown;
}

/** Optional details of a learning. */
export interface LearningDetails {
  category?: string;
  /** When it applies. */
  conditions?: string[];
  correct_approach?: string;
  incorrect_approach?: string;
  /** The attempts it was drawn from, for example `task-001/2`. */
  source_episodes?: string[];
  /** The files it refers to, and the commit at which it was true for them. */
  files?: string[];
  git_commit?: string;
  /** Equal for antipatterns about the same failure, wherever it occurred. */
  failure_key?: string;
  /** Keys of failures that appeared and disappeared together with it. */
  failure_aliases?: string[];
  /** Known only from an imported document; no task here has confirmed it. */
  origin?: "import";
  /** Who accepted or rejected it in a review. */
  reviewed_by?: string[];
  /** Present once other learnings were merged into it, or if its sources have their own remedies. */
  merged?: MergedFigures;
}

/** A learning as extracted from a loop, before promotion. */
export interface ExtractedLearning extends LearningDetails {
  type: LearningType;
  /** One of `taskTypes`, or a type of another tool. */
  taskType: string;
  content: LearningContent;
  /** From 0 to 1. */
  confidence: number;
  /** The loops or tasks it was drawn from. */
  sourceLoops: string[];
  /** From 0 to 1; always 0 for an antipattern. */
  successRate: number;
}

/** General knowledge drawn from attempts, with its sources. Field names follow the published schemas. */
export interface Learning extends ExtractedLearning {
  /** `learn-` and twelve hexadecimal digits. */
  id: string;
  createdAt: string;
  updatedAt: string;
  /** How often it was recalled. */
  useCount: number;
  last_used?: string;
  /** The id of the learning that replaced it. */
  superseded_by?: string;
}

/** Where the figures of a merged learning come from, so that repeated merging counts nothing twice. */
export interface MergedFigures {
  /** Confidence of the record whose wording was kept. */
  wordingConfidence: number;
  /** By source loop. */
  sources: Record<string, SourceFigures>;
  /** Use counts of the merged records, by id. */
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
  /** When the source ended; if a source has two figures, the later one counts. */
  at?: string;
  /** Antipattern: what made the failure go away there. */
  remedy?: SourceRemedy;
  /** Antipattern: the gists of remedies that failed there. */
  inVain?: string[];
  /** Convention: how things were done there, with the number of cases for each way. */
  ways?: Record<string, { cases: number; example: string }>;
}

/** What made a failure go away in one task. */
export interface SourceRemedy {
  text: string;
  /** Equal for remedies that do the same. */
  gist: string;
  /** Stated by a person or an agent; otherwise it was derived from the actions. */
  isSaid?: boolean;
}

export const stagingStatuses = ["pending", "validated", "rejected"] as const;

export type StagingStatus = (typeof stagingStatuses)[number];

/** A learning waiting for validation and promotion. */
export interface StagedLearning {
  /** `stage-<milliseconds>-<number>`. */
  id: string;
  learning: ExtractedLearning;
  status: StagingStatus;
  stagedAt: string;
  validatedAt?: string;
  rejectionReason?: string;
  /** It is promoted when another task confirms it; otherwise a pending one waits for a review. */
  awaitsEvidence?: boolean;
  /** Why a person should review it carefully. */
  reason?: string;
}

/** Exchange format of the staging area. */
export interface StagingDocument {
  version: string;
  checksum: string;
  lastUpdated: string;
  staged: StagedLearning[];
}

/** Exchange format of all learnings. */
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

/** The history of one loop as recorded by a runner; learnings are extracted from it. */
export interface LoopState {
  loopId: string;
  objective: string;
  status: string;
  /** Number of iterations; defaults to the length of `iterations`. */
  currentIteration?: number;
  iterations: LoopIteration[];
}

export interface LoopIteration {
  number?: number;
  /** `completed`, `failed`, or any other word, which counts as neither. */
  status: string;
  /** Milliseconds. */
  duration?: number;
  analysis?: { progressMade?: boolean; errors?: string[] };
  learnings?: string[];
  filesModified?: string[];
}
