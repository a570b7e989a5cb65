import type { BriefRecord } from "../domain/knowledge/brief.js";
import { type BriefLimits, type ComposedBrief, composeBrief } from "./brief/brief.js";
import { foldDuplicates } from "./brief/fold-duplicates.js";
import { type Candidate, estimateKind } from "./candidate.js";
import { type CandidateSource, crossTaskKinds } from "./candidate-source.js";
import type { RecallQuestion } from "./recall-question.js";

export interface RecallOptions {
  limits: BriefLimits;
  /** The task is in the control group: it sees nothing from other tasks. */
  isHoldout: boolean;
  /** Ids of records that are not shown again. */
  except?: readonly string[] | undefined;
}

export interface RecalledBrief {
  brief: ComposedBrief;
  /** The records to credit: those shown, or for a control task, those that would have been shown. */
  records: BriefRecord[];
}

/** The best candidates of all sources, without duplicates, as a brief within its budget. */
export async function recallFrom(
  sources: readonly CandidateSource[],
  question: RecallQuestion,
  { limits, isHoldout, except = [] }: RecallOptions,
): Promise<RecalledBrief> {
  const known = new Set(except);
  const all: Candidate[] = [];
  const forControl: Candidate[] = [];
  for (const source of sources) {
    const found = (await source.find(question, all)).filter(({ id }) => !known.has(id));
    all.push(...found);
    if (!crossTaskKinds.has(source.kind)) forControl.push(...found);
  }
  const compose = async (candidates: readonly Candidate[]) =>
    composeBrief(await foldDuplicates(candidates), limits);
  const full = await compose(all);
  return { brief: isHoldout ? await compose(forControl) : full, records: recordsIn(full) };
}

/** A task's own reflections are rated separately, and an estimate is computed, not recorded: neither is credited. */
function recordsIn({ shown }: ComposedBrief): BriefRecord[] {
  return shown
    .filter(({ section, kind }) => section !== "reflections" && kind !== estimateKind)
    .map(({ id, kind }) => ({ id, kind }));
}
