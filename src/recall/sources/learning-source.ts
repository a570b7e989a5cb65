import type { Learning } from "../../domain/knowledge/learning.js";
import { rounded } from "../../domain/rounded.js";
import { learningKind } from "../../search/record-kinds.js";
import { searchRecords } from "../../search/search-records.js";
import { liftsOf } from "../../semantic/evidence.js";
import { relevance } from "../../semantic/retrieve/relevant-knowledge.js";
import type { LearningRow } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import type { CandidateSource } from "../candidate.js";
import { type RecallQuestion, sharesWords } from "../recall-question.js";
import { learnings, learningEvidence as weights } from "../weights.js";
import { type ChosenLearning, learningCandidates, type OnAltered, sectionOf } from "./learning-candidates.js";
import {
  type AskedFailures,
  askedFailures,
  type LearningEvidence,
  type RelatedTasks,
  weighEvidence,
} from "./learning-evidence.js";

/** By learning id, the share of its files that have changed since, from 0 to 1. */
export type FindStale = (learnings: readonly Learning[]) => Promise<ReadonlyMap<string, number>>;

export interface LearningAccess {
  /** One for each store. */
  stores: readonly Repositories[];
  findStale: FindStale;
  /** The current task: what only it taught is in its own reflections. */
  taskId: string | undefined;
  /** The tasks of the first store that are similar to the question. */
  findRelated(question: RecallQuestion): Promise<RelatedTasks>;
  onAltered: OnAltered;
}

/** Learnings that share a failure, a family of tasks, a file or telling words with the question. */
export function learningSource(access: LearningAccess): CandidateSource {
  const { stores, findStale, taskId, findRelated, onAltered } = access;
  return {
    kind: "learning",
    async find(question) {
      const failures = askedFailures(question.errors);
      const found: Weighed[] = [];
      for (const [place, store] of stores.entries()) {
        const related: RelatedTasks = place === 0 ? await findRelated(question) : new Map();
        found.push(...(await weighLearnings(store, question, { related, failures, findStale })));
      }
      const ofOthers = found.filter(
        ({ learning: { sourceLoops } }) =>
          sourceLoops.length === 0 || sourceLoops.some((source) => source !== taskId),
      );
      return learningCandidates(
        bestOf(ofOthers).map((each) => ({ ...each, why: reasonFor(question, each.evidence) })),
        onAltered,
      );
    },
  };
}

interface Weighing {
  /** The tasks that are related to the question. */
  related: RelatedTasks;
  failures: AskedFailures;
  findStale: FindStale;
}

interface Weighed extends Omit<ChosenLearning, "why"> {
  evidence: LearningEvidence;
}

async function weighLearnings(
  store: Repositories,
  question: RecallQuestion,
  { related, failures, findStale }: Weighing,
): Promise<Weighed[]> {
  const gathered = await gather(store, question, related, failures);
  if (gathered.length === 0) return [];
  const evidenceOf = await weighEvidence(store, question, failures);
  const relevant = gathered
    .map(({ learning, checksum }) => ({ learning, checksum, evidence: evidenceOf(learning, related) }))
    .filter(({ evidence }) => isEnough(evidence));
  const ids = relevant.map(({ learning }) => learning.id);
  const [lifts, links, stale] = await Promise.all([
    liftsOf(store, ids),
    store.links.listFrom(ids),
    findStale(relevant.map(({ learning }) => learning)),
  ]);
  return (
    relevant
      // Learnings that made tasks go worse are dropped.
      .filter(({ learning: { id } }) => (lifts.get(id) ?? 0) >= 0)
      .map(({ learning, checksum, evidence }) => {
        const { error, family, words, files } = evidence;
        const signals: Signals = {
          ...{ error, family, words, files },
          prior: relevance(learning, question),
          evidence: lifts.get(learning.id) ?? 0,
          stale: stale.get(learning.id) ?? 0,
        };
        return { learning, checksum, links, evidence, isStale: signals.stale > 0, ...scoreOf(signals) };
      })
  );
}

/** Learnings that may matter: found by words, by the failures of the question, or by related tasks. */
async function gather(
  store: Repositories,
  { questions }: RecallQuestion,
  related: RelatedTasks,
  failures: AskedFailures,
): Promise<LearningRow[]> {
  const hits = await Promise.all(
    questions.map((question) =>
      searchRecords(store.lexical, {
        question,
        kind: learningKind,
        sources: [""],
        labelGroups: [["state:shown"]],
        limit: learnings.found,
        enough: learnings.enough,
        isExact: true,
      }),
    ),
  );
  const ids = new Set(hits.flat().map(({ id }) => id));
  const found = await Promise.all([
    store.learnings.listByIds([...ids]),
    store.learnings.listByFailures(failures.keys),
    store.learnings.listBySources([...related.keys()], learnings.found),
  ]);
  const rows = found.flat();
  return [...new Map(rows.map((row) => [row.learning.id, row])).values()].filter(
    ({ learning }) => learning.superseded_by === undefined && sectionOf[learning.type] !== undefined,
  );
}

/** A rare shared word or several common ones, an error, a file, or a family in common. */
function isEnough({ error, family, words, files }: LearningEvidence): boolean {
  return error > 0 || words > 0 || files > 0 || family >= weights.leastFamily;
}

type Signals = Record<keyof typeof weights.score, number>;

function scoreOf(signals: Signals): { score: number; parts: Record<string, number> } {
  const parts: Record<string, number> = { relevant: weights.relevant };
  let score: number = weights.relevant;
  for (const [name, weight] of Object.entries(weights.score)) {
    const part = weight * signals[name as keyof Signals];
    if (part === 0) continue;
    parts[name] = rounded(part);
    score += part;
  }
  return { score: rounded(score), parts };
}

/** The best few of all stores. */
function bestOf(found: readonly Weighed[]): Weighed[] {
  const ranked = found.toSorted((one, other) => other.score - one.score);
  const beyond = (score: number) => score - weights.relevant;
  const best = beyond(ranked[0]?.score ?? 0);
  return ranked.filter(({ score }) => beyond(score) >= best * weights.leastOfBest).slice(0, weights.shown);
}

/** Why it is shown, in a few words. */
function reasonFor(
  question: RecallQuestion,
  { error, family, taughtBy: { tasks, of }, words, files, shared }: LearningEvidence,
): string {
  // A share of one task would say too much.
  const met = of === 1 ? "met in a similar task" : `met in ${tasks} of ${of} similar tasks`;
  return [
    ...(error === 1 ? ["the same error"] : error > 0 ? ["a similar error"] : []),
    ...(family >= weights.leastFamily ? [met] : []),
    ...(words > 0 ? sharesWords(question, shared) : []),
    ...(files > 0 ? ["the same file"] : []),
  ].join("; ");
}
