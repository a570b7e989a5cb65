import type { BriefRecord } from "../domain/knowledge/brief.js";
import { rounded } from "../domain/rounded.js";
import type { RecallQuestion } from "./recall-question.js";
import { signalWeights, type tierWeights } from "./weights.js";

export type Tier = keyof typeof tierWeights;

/** The sections of a brief, in order. */
export const briefSections = {
  reflections: { title: "What this task has taught so far", tier: "episodic" },
  similar: { title: "Similar tasks", tier: "episodic" },
  latest: { title: "Latest tasks", tier: "episodic" },
  strategies: { title: "What worked", tier: "semantic" },
  avoid: { title: "Known problems", tier: "semantic" },
  notes: { title: "Notes of this project", tier: "semantic" },
  "own-notes": { title: "Your own notes, for all projects", tier: "semantic" },
  estimates: { title: "Estimate", tier: "semantic" },
  conventions: { title: "Conventions", tier: "semantic" },
  skills: { title: "Skills that apply", tier: "skills" },
} as const satisfies Record<string, { title: string; tier: Tier }>;

export type SectionName = keyof typeof briefSections;

export const sectionNames = Object.keys(briefSections) as SectionName[];

/** The terms of a score, by signal. */
export type ScoreParts = Readonly<Record<string, number>>;

/** A record that a brief may show. */
export interface Candidate extends BriefRecord {
  section: SectionName;
  /** The content, without formatting. */
  statement: string;
  /** The lines in the brief, neutralised. */
  text: string;
  score: number;
  parts: ScoreParts;
  /** Why it is shown, in a few words. */
  why: string;
}

/** What similar tasks took: computed for a question, and no record. */
export const estimateKind = "estimate";

export function tierOf({ section }: Pick<Candidate, "section">): Tier {
  return briefSections[section].tier;
}

type SourceKind = "reflection" | "task" | "learning" | "note" | "skill";

/** One kind of memory that recall searches. */
export interface CandidateSource {
  kind: SourceKind;
  /**
   * Scored candidates in any order, except that reflections are shown in the order of their source; what earlier sources found
   * need not be repeated.
   */
  find(question: RecallQuestion, foundBefore: readonly Candidate[]): Promise<Candidate[]>;
}

/** Kinds that come from other tasks; hidden from the control group. */
export const crossTaskKinds: ReadonlySet<SourceKind> = new Set(["task", "learning"]);

/** The inputs of a score, each from 0 to 1; evidence from -1 to 1. */
export interface Signals {
  /** How much of the question it answers. */
  text: number;
  /** Its quality regardless of the question: confidence, task type, success, recency. */
  prior: number;
  /** Whether it mentions a current error. */
  errors?: number;
  /** Whether it mentions a current file. */
  files?: number;
  /** How much better tasks went with it than without. */
  evidence?: number;
  /** The share of its files that have changed since. */
  stale?: number;
}

const weightedSignals = Object.entries(signalWeights);

export function scoreOf(signals: Signals): { score: number; parts: ScoreParts } {
  const parts: Record<string, number> = {};
  let score = 0;
  for (const [name, weight] of weightedSignals) {
    const value = signals[name as keyof Signals];
    if (value === undefined || value === 0) continue;
    parts[name] = rounded(weight * value);
    score += weight * value;
  }
  return { score: rounded(score), parts };
}
