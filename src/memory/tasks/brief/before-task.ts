import type { Recall, RecalledEntry } from "../../recall/recall-input.js";

/** One line of a brief; the id leads to the whole record. */
export interface BriefEntry {
  id: string;
  summary: string;
}

/** What an agent should know before it begins. */
export interface BeforeTask {
  /** The best of learnings, notes and similar tasks. */
  relevant_patterns: BriefEntry[];
  avoid_these: BriefEntry[];
  applicable_skills: BriefEntry[];
}

const maxSummary = 240;

/** What was recalled, in the three lists that agents before a task are given. */
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
