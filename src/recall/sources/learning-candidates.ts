import type { Learning, LearningType } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { learningKind } from "../../search/record-kinds.js";
import { isIntactRow } from "../../semantic/records/checksum.js";
import type { StoredLink } from "../../store/repositories/knowledge/links.js";
import { briefly } from "../../text/briefly.js";
import { clipAtWord } from "../../text/clip-at-word.js";
import { counted } from "../../text/counted.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import type { Candidate, SectionName } from "../candidate.js";
import { shownLength } from "../weights.js";

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

/** Called with the ids of learnings that are left out because something other than Ralph changed them. */
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

/** What a learning says: a problem with its remedy, or a statement. */
export function adviceOf(learning: Learning): string {
  const { prevention } = learning.content;
  const statement = statementOf(learning);
  if (typeof prevention !== "string") return statement;
  // A long problem must not hide its remedy.
  return `${clipAtWord(briefly(statement), shownLength.problem)} → ${prevention}`;
}

export function lineOf(
  learning: Learning,
  { isStale, contradicts }: { isStale: boolean; contradicts: readonly string[] },
): string {
  const { examples } = learning.content;
  const shown =
    learning.type === "convention" && examples?.length ? ` (as in ${examples.slice(0, 2).join(", ")})` : "";
  const remarks = [
    ...(learning.sourceLoops.length > 1 ? [counted(learning.sourceLoops.length, "task")] : []),
    ...(isStale ? ["its files have changed a lot since: check it"] : []),
    ...(contradicts.length > 0 ? [`contradicts ${contradicts.join(", ")}: decide which holds`] : []),
  ];
  const line = neutraliseLine(`${adviceOf(learning)}${shown}`, shownLength.learning);
  return `- [${learning.id}] ${line}${remarks.length === 0 ? "" : ` (${remarks.join("; ")})`}`;
}
