import type { BriefRecord } from "../domain/knowledge/brief.js";
import type { tierWeights } from "./weights.js";

export type Tier = keyof typeof tierWeights;

/** The parts of a brief, in their order. */
export const briefSections = {
  reflections: { title: "What this task has taught so far", tier: "episodic" },
  similar: { title: "Similar tasks", tier: "episodic" },
  strategies: { title: "What worked", tier: "semantic" },
  avoid: { title: "What to avoid", tier: "semantic" },
  notes: { title: "Notes of this project", tier: "semantic" },
  estimates: { title: "Estimate", tier: "semantic" },
  conventions: { title: "Conventions", tier: "semantic" },
  skills: { title: "Skills that apply", tier: "skills" },
} as const satisfies Record<string, { title: string; tier: Tier }>;

export type SectionName = keyof typeof briefSections;

export const sectionNames = Object.keys(briefSections) as SectionName[];

/** What a score is made of, each as it was added. */
export type ScoreParts = Readonly<Record<string, number>>;

/** Something that a brief may show. */
export interface Candidate extends BriefRecord {
  section: SectionName;
  /** What it says, on one line. */
  statement: string;
  /** As it stands in a brief, as data. */
  text: string;
  score: number;
  parts: ScoreParts;
}

export function tierOf({ section }: Pick<Candidate, "section">): Tier {
  return briefSections[section].tier;
}
