import type { Learning } from "../../domain/knowledge/learning.js";
import { rounded } from "../../domain/rounded.js";
import { cacheCounts } from "../../search/cache-counts.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import { searchRecords } from "../../search/search-records.js";
import { liftsOf } from "../../semantic/evidence/record-lifts.js";
import { relevance } from "../../semantic/retrieve/relevance.js";
import type { Repositories } from "../../store/store.js";
import type { CandidateSource } from "../candidate-source.js";
import type { AskedFailures } from "../evidence/asked-failures.js";
import type { LearningEvidence, RelatedTasks } from "../evidence/learning-evidence.js";
import type { RecallQuestion } from "../recall-question.js";
import { learnings, learningEvidence as weights } from "../weights.js";
import { type ChosenLearning, learningCandidates, sectionOf } from "./learning-candidates.js";

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
}

/** Learnings that share a failure, a family of tasks, a file or telling words with the question. */
export function learningSource({ stores, findStale, taskId, findRelated }: LearningAccess): CandidateSource {
  return {
    kind: "learning",
    async find(question) {
      const related = await findRelated(question);
      const failures = await failuresIn(question);
      const found: Weighed[] = [];
      for (const [place, repositories] of stores.entries())
        found.push(
          ...(await weighLearnings(repositories, question, {
            related: place === 0 ? related : new Map(),
            failures,
            findStale,
          })),
        );
      const ofOthers = found.filter(
        ({ learning: { sourceLoops } }) =>
          sourceLoops.length === 0 || sourceLoops.some((source) => source !== taskId),
      );
      return learningCandidates(
        stores,
        bestOf(ofOthers).map((each) => ({ ...each, why: reasonFor(each.evidence) })),
      );
    },
  };
}

/** The readers of tools' outputs are loaded only for a question with errors. */
async function failuresIn({ errors }: RecallQuestion): Promise<AskedFailures> {
  if (errors.length === 0) return { keys: [], messages: [], codes: [] };
  return (await import("../evidence/asked-failures.js")).askedFailures(errors);
}

interface Weighed extends Omit<ChosenLearning, "why"> {
  evidence: LearningEvidence;
}

async function weighLearnings(
  store: Repositories,
  question: RecallQuestion,
  { related, failures, findStale }: { related: RelatedTasks; failures: AskedFailures; findStale: FindStale },
): Promise<Weighed[]> {
  const counting = { ...store, lexical: cacheCounts(store.lexical) };
  const gathered = await gather(counting, question, { related, failures });
  if (gathered.length === 0) return [];
  const { weighEvidence } = await import("../evidence/learning-evidence.js");
  const weigh = await weighEvidence(counting, question, { related, failures });
  const relevant = gathered
    .map((learning) => ({ learning, evidence: weigh(learning) }))
    .filter(({ evidence }) => isEnough(evidence));
  const lifts = await liftsOf(
    store,
    relevant.map(({ learning }) => learning.id),
  );
  const stale = await findStale(relevant.map(({ learning }) => learning));
  return (
    relevant
      // Learnings that made tasks go worse are dropped.
      .filter(({ learning: { id } }) => (lifts.get(id) ?? 0) >= 0)
      .map(({ learning, evidence }) => {
        const { shared: _words, ...strengths } = evidence;
        const signals = {
          ...strengths,
          prior: relevance(learning, question),
          evidence: lifts.get(learning.id) ?? 0,
          stale: stale.get(learning.id) ?? 0,
        };
        return { learning, store, evidence, isStale: signals.stale > 0, ...scoreOf(signals) };
      })
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

/** Learnings that may matter: found by words, by the failures of the question, or by related tasks. */
async function gather(
  store: Repositories,
  question: RecallQuestion,
  { related, failures }: { related: RelatedTasks; failures: AskedFailures },
): Promise<Learning[]> {
  const ids = new Set<string>();
  for (const each of question.questions) {
    const hits = await searchRecords(store.lexical, {
      question: each,
      kind: learningKind,
      sources: [""],
      labelGroups: [["state:shown"]],
      limit: learnings.found,
      enough: learnings.enough,
      isExact: true,
    });
    for (const { id } of hits) ids.add(id);
  }
  const rows = [
    ...(await store.learnings.listByIds([...ids])),
    ...(await store.learnings.listByFailures(failures.keys)),
    ...(await store.learnings.listBySources([...related.keys()], learnings.found)),
  ];
  const unique = new Map(rows.map(({ learning }) => [learning.id, learning]));
  return [...unique.values()].filter(
    ({ type, superseded_by: newer }) => newer === undefined && sectionOf[type] !== undefined,
  );
}

/** Why it is shown, in a few words. */
function reasonFor({ error, family, words, files, shared }: LearningEvidence): string {
  return [
    ...(error === 1 ? ["the same error"] : error > 0 ? ["a similar error"] : []),
    ...(family >= weights.leastFamily ? [`met in ${Math.round(family * 100)} % of similar work`] : []),
    ...(words > 0 ? [`shares ${shared.map((word) => `"${word}"`).join(", ")}`] : []),
    ...(files > 0 ? ["the same file"] : []),
  ].join("; ");
}
