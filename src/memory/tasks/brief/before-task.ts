import type { Recall, RecalledEntry } from "../../recall/recall-input.js";

/** One line about a record, which the id refers to. */
export interface BriefEntry {
  id: string;
  summary: string;
}

/** What an agent should know before a task. */
export interface BeforeTask {
  /** The best learnings, notes and similar tasks. */
  relevant_patterns: BriefEntry[];
  avoid_these: BriefEntry[];
  applicable_skills: BriefEntry[];
}

const maxSummary = 240;

/** A recall as the three lists that agents get before a task. */
export function toBeforeTask({ best, entries }: Pick<Recall, "best" | "entries">): BeforeTask {
  const ofSection = (name: RecalledEntry["section"]) => entries.filter(({ section }) => section === name);
  return {
    relevant_patterns: best.filter(({ section }) => section !== "skills").map(toBriefEntry),
    avoid_these: ofSection("avoid").map(toBriefEntry),
    applicable_skills: ofSection("skills").map(toBriefEntry),
  };
}

function toBriefEntry({ id, statement }: RecalledEntry): BriefEntry {
  return { id, summary: statement.slice(0, maxSummary) };
}
