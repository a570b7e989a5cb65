import type { BriefRecord } from "../domain/knowledge/brief.js";
import { type BriefLimits, type ComposedBrief, composeBrief } from "./brief.js";
import { type Candidate, type CandidateSource, crossTaskKinds, estimateKind } from "./candidate.js";
import { foldDuplicates } from "./fold-duplicates.js";
import type { RecallQuestion } from "./recall-question.js";

interface RecalledBrief {
  brief: ComposedBrief;
  /** For a task in the control group, which sees nothing from other tasks. */
  forControl(): ComposedBrief;
  /** What was found and is not in this brief, best first. */
  omittedFrom(brief: ComposedBrief): OmittedCandidate[];
  /** The records to credit: those shown, or for a control task, those that would have been shown. */
  records: BriefRecord[];
}

interface OmittedCandidate {
  candidate: Candidate;
  reason: "no room" | "says the same" | "control group";
  sameAs?: string;
}

/** The best candidates of all sources, without duplicates, as a brief within its budget. */
export async function recallFrom(
  sources: readonly CandidateSource[],
  question: RecallQuestion,
  limits: BriefLimits,
  /** Ids of records that are not shown again. */
  except: readonly string[] = [],
): Promise<RecalledBrief> {
  const known = new Set(except);
  // Past tasks leave out what the learnings say.
  const first = await Promise.all(
    sources.map(({ kind, find }) => (kind === "task" ? undefined : find(question, []))),
  );
  const before = first.flatMap((found) => found ?? []);
  const findings = await Promise.all(
    sources.map(async ({ kind, find }, place) => {
      const found = first[place] ?? (await find(question, before));
      return { kind, found: found.filter(({ id }) => !known.has(id)) };
    }),
  );
  const found = withoutLoneEstimate(findings);
  const all = found.flatMap((each) => each.found);
  const forControl = found.flatMap((each) => (crossTaskKinds.has(each.kind) ? [] : each.found));
  const { kept, dropped } = foldDuplicates(all);
  const full = composeBrief(kept, limits);
  return {
    brief: full,
    forControl: () => composeBrief(foldDuplicates(forControl).kept, limits),
    records: recordsIn(full),
    omittedFrom({ shown }) {
      const visible = new Set(shown);
      const wouldBeShown = new Set(full.shown);
      return all
        .filter((candidate) => !visible.has(candidate))
        .map((candidate): OmittedCandidate => {
          const better = dropped.get(candidate);
          if (better !== undefined) return { candidate, reason: "says the same", sameAs: better.id };
          return { candidate, reason: wouldBeShown.has(candidate) ? "control group" : "no room" };
        })
        .toSorted((one, other) => other.candidate.score - one.candidate.score);
    },
  };
}

/** An estimate alone helps nobody. */
function withoutLoneEstimate<Finding extends { found: Candidate[] }>(findings: Finding[]): Finding[] {
  const isAlone = findings.every(({ found }) => found.every(({ kind }) => kind === estimateKind));
  return isAlone ? findings.map((finding) => ({ ...finding, found: [] })) : findings;
}

/** A task's own reflections are rated separately, and an estimate is computed, not recorded: neither is credited. */
function recordsIn({ shown }: ComposedBrief): BriefRecord[] {
  return shown
    .filter(({ section, kind }) => section !== "reflections" && kind !== estimateKind)
    .map(({ id, kind }) => ({ id, kind }));
}
