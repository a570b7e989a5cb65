import type { Learning } from "../../domain/knowledge/learning.js";
import { rounded } from "../../domain/rounded.js";
import { cacheCounts } from "../../search/count-words.js";
import { learningKind } from "../../search/record-kinds.js";
import { searchRecords } from "../../search/search-records.js";
import { liftsOf } from "../../semantic/evidence.js";
import { relevance } from "../../semantic/retrieve/relevant-knowledge.js";
import type { LearningRow } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import { unique } from "../../text/unique.js";
import type { CandidateSource } from "../candidate.js";
import { type RecallQuestion, sharesWords } from "../recall-question.js";
import { learnings, learningEvidence as weights } from "../weights.js";
import { type ChosenLearning, learningCandidates, type OnAltered, sectionOf } from "./learning-candidates.js";
import type { AskedFailures, LearningEvidence, RelatedTasks, WeighLearning } from "./learning-evidence.js";

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
      const finding = findRelated(question);
      // What fails is told by whoever waits for it.
      finding.catch(() => undefined);
      const failures = await failuresIn(question);
      const found = await Promise.all(
        stores.map((repositories, place) =>
          weighLearnings(repositories, question, {
            finding: place === 0 ? finding : Promise.resolve(new Map()),
            failures,
            findStale,
          }),
        ),
      );
      const ofOthers = found
        .flat()
        .filter(
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

/** The readers of tools' outputs are loaded only for a question with errors. */
async function failuresIn({ errors }: RecallQuestion): Promise<AskedFailures> {
  if (errors.length === 0) return { keys: [], messages: [], codes: [] };
  return (await import("./learning-evidence.js")).askedFailures(errors);
}

interface Weighing {
  /** The tasks that are related to the question. */
  finding: Promise<RelatedTasks>;
  failures: AskedFailures;
  findStale: FindStale;
}

interface Weighed extends Omit<ChosenLearning, "why"> {
  evidence: LearningEvidence;
}

async function weighLearnings(
  store: Repositories,
  question: RecallQuestion,
  { finding, failures, findStale }: Weighing,
): Promise<Weighed[]> {
  const counting = { ...store, lexical: cacheCounts(store.lexical) };
  const { related, rows: gathered, weigh } = await gather(counting, question, { finding, failures });
  if (gathered.length === 0) return [];
  const evidenceOf = await (weigh ?? weigher(counting, question, failures));
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
        const { shared: _words, taughtBy: _tasks, ...strengths } = evidence;
        const signals = {
          ...strengths,
          prior: relevance(learning, question),
          evidence: lifts.get(learning.id) ?? 0,
          stale: stale.get(learning.id) ?? 0,
        };
        return { learning, checksum, links, evidence, isStale: signals.stale > 0, ...scoreOf(signals) };
      })
  );
}

/** A rare shared word or several common ones, an error, a file, or a family in common. */
function isEnough({ error, family, words, files }: LearningEvidence): boolean {
  return error > 0 || words > 0 || files > 0 || family >= weights.leastFamily;
}

type Signals = Record<keyof typeof weights.score, number>;

const weightedSignals = Object.entries(weights.score);

function scoreOf(signals: Signals): { score: number; parts: Record<string, number> } {
  const parts: Record<string, number> = { relevant: weights.relevant };
  let score: number = weights.relevant;
  for (const [name, weight] of weightedSignals) {
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

interface Gathered {
  rows: LearningRow[];
  related: RelatedTasks;
  /** Begun as soon as something was found by its words. */
  weigh: Promise<WeighLearning> | undefined;
}

/** Learnings that may matter: found by words, by the failures of the question, or by related tasks. */
async function gather(
  store: Repositories,
  question: RecallQuestion,
  { finding, failures }: Omit<Weighing, "findStale">,
): Promise<Gathered> {
  const lexical = cacheCounts(store.lexical);
  const bySource = finding.then(async (related) => ({
    related,
    rows: await store.learnings.listBySources([...related.keys()], learnings.found),
  }));
  const byWords = Promise.all(
    question.questions.map((each) =>
      searchRecords(lexical, {
        question: each,
        kind: learningKind,
        sources: [""],
        labelGroups: [["state:shown"]],
        limit: learnings.found,
        enough: learnings.enough,
        isExact: true,
      }),
    ),
  ).then(async (hits) => {
    const ids = unique(hits.flat().map(({ id }) => id));
    const weigh = ids.length === 0 ? undefined : weigher({ lexical }, question, failures);
    weigh?.catch(() => undefined);
    return { weigh, rows: await store.learnings.listByIds(ids) };
  });
  const [{ weigh, rows }, failed, { related, rows: ofRelated }] = await Promise.all([
    byWords,
    store.learnings.listByFailures(failures.keys),
    bySource,
  ]);
  const all = new Map([...rows, ...failed, ...ofRelated].map((row) => [row.learning.id, row]));
  const shown = [...all.values()].filter(
    ({ learning }) => learning.superseded_by === undefined && sectionOf[learning.type] !== undefined,
  );
  return { rows: shown, related, weigh };
}

/** Its code is loaded when there is something to weigh. */
async function weigher(
  store: Pick<Repositories, "lexical">,
  question: RecallQuestion,
  failures: AskedFailures,
): Promise<WeighLearning> {
  const { weighEvidence } = await import("./learning-evidence.js");
  return weighEvidence(store, question, failures);
}

/** Why it is shown, in a few words. */
function reasonFor(
  question: RecallQuestion,
  { error, family, taughtBy, words, files, shared }: LearningEvidence,
): string {
  return [
    ...(error === 1 ? ["the same error"] : error > 0 ? ["a similar error"] : []),
    ...(family >= weights.leastFamily ? [metIn(taughtBy)] : []),
    ...(words > 0 ? sharesWords(question, shared) : []),
    ...(files > 0 ? ["the same file"] : []),
  ].join("; ");
}

/** A share of one task would say too much. */
function metIn({ tasks, of }: LearningEvidence["taughtBy"]): string {
  return of === 1 ? "met in a similar task" : `met in ${tasks} of ${of} similar tasks`;
}
