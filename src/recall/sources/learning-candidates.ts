import type { Learning, LearningType } from "../../domain/knowledge/learning.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import { isIntactRow } from "../../semantic/integrity/checksum.js";
import type { StoredLink } from "../../store/repositories/knowledge/links.js";
import type { Candidate, SectionName } from "../candidate.js";
import { adviceOf, lineOf } from "./render-learning.js";

/** The section of a brief for each type that has one. */
export const sectionOf: Partial<Record<LearningType, SectionName>> = {
  strategy: "strategies",
  pattern: "strategies",
  fact: "strategies",
  antipattern: "avoid",
  convention: "conventions",
};

/** A learning that a brief may show. */
export interface ChosenLearning {
  learning: Learning;
  checksum: string;
  /** Links from learnings of its store, its own among them. */
  links: readonly StoredLink[];
  score: number;
  parts: Record<string, number>;
  isStale: boolean;
  /** Why it is shown, in a few words. */
  why: string;
}

/** Is told of learnings that are left out, because something other than Ralph changed them. */
export type OnAltered = (ids: readonly string[]) => void;

/** Learnings as entries of a brief, each with those that contradict it. */
export function learningCandidates(found: readonly ChosenLearning[], onAltered: OnAltered): Candidate[] {
  // Only those that were chosen are checked: there are few.
  const chosen = found.filter(isIntactRow);
  onAltered(found.filter((each) => !chosen.includes(each)).map(({ learning }) => learning.id));
  const contradicted = contradictionsAmong(chosen);
  return chosen.map(({ learning, score, parts, isStale, why }) => ({
    id: learning.id,
    kind: learningKind,
    section: sectionOf[learning.type] ?? "strategies",
    statement: adviceOf(learning),
    text: lineOf(learning, { isStale, contradicts: contradicted.get(learning.id) ?? [] }),
    ...{ score, parts, why },
    ...(learning.failure_key !== undefined && { tells: [learning.failure_key] }),
  }));
}

function contradictionsAmong(chosen: readonly ChosenLearning[]): Map<string, string[]> {
  const known = new Set(chosen.map(({ learning }) => learning.id));
  const contradictions = new Map<string, string[]>();
  for (const { from, to, relation } of new Set(chosen.flatMap(({ links }) => links))) {
    if (relation !== "contradicts" || !known.has(from) || !known.has(to)) continue;
    contradictions.set(from, [...(contradictions.get(from) ?? []), to]);
    contradictions.set(to, [...(contradictions.get(to) ?? []), from]);
  }
  return contradictions;
}
