import type { BriefRecord } from "../domain/knowledge/brief.js";
import type { tierWeights } from "./weights.js";

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
  /** Keys of the failures that it tells about. */
  tells?: readonly string[];
}

/** What similar tasks took: computed for a question, and no record. */
export const estimateKind = "estimate";

export function tierOf({ section }: Pick<Candidate, "section">): Tier {
  return briefSections[section].tier;
}
