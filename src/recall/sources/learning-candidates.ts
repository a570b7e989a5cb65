import type { Learning, LearningType } from "../../domain/knowledge/learning.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import type { Repositories } from "../../store/store.js";
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
  store: Repositories;
  score: number;
  parts: Record<string, number>;
  isStale: boolean;
  /** Why it is shown, in a few words. */
  why: string;
}

/** Learnings as entries of a brief, each with those that contradict it. */
export async function learningCandidates(
  stores: readonly Repositories[],
  chosen: readonly ChosenLearning[],
): Promise<Candidate[]> {
  const contradicted = new Map<string, string[]>();
  for (const store of stores) {
    const own = chosen.filter((each) => each.store === store).map(({ learning }) => learning.id);
    for (const [id, others] of await contradictionsAmong(store, own)) contradicted.set(id, others);
  }
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

async function contradictionsAmong(
  repositories: Repositories,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const known = new Set(ids);
  const contradictions = new Map<string, string[]>();
  for (const { from, to, relation } of await repositories.links.listFrom(ids)) {
    if (relation !== "contradicts" || !known.has(from) || !known.has(to)) continue;
    contradictions.set(from, [...(contradictions.get(from) ?? []), to]);
    contradictions.set(to, [...(contradictions.get(to) ?? []), from]);
  }
  return contradictions;
}
