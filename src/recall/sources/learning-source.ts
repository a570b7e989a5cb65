import type { Learning, LearningType } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import { searchRecords } from "../../search/search-records.js";
import { liftsOf } from "../../semantic/evidence/record-lifts.js";
import { matchesErrors, matchesFiles } from "../../semantic/retrieve/learning-matches.js";
import { relevance } from "../../semantic/retrieve/relevance.js";
import type { Repositories } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import type { Candidate, SectionName } from "../candidate.js";
import type { CandidateSource } from "../candidate-source.js";
import type { RecallQuestion } from "../recall-question.js";
import { type Signals, scoreOf } from "../score-candidate.js";
import { toRelevance } from "../to-relevance.js";
import { learnings, relevance as relevanceWeights, shownLength } from "../weights.js";

const typesOf = {
  strategies: ["strategy", "pattern", "fact"],
  avoid: ["antipattern"],
  estimates: ["estimate"],
  conventions: ["convention"],
} as const satisfies Partial<Record<SectionName, readonly LearningType[]>>;

type LearningSection = keyof typeof typesOf;

/** By learning id, the share of its files that have changed since, from 0 to 1. */
export type FindStale = (learnings: readonly Learning[]) => Promise<ReadonlyMap<string, number>>;

export interface LearningAccess {
  /** One for each store. */
  stores: readonly Repositories[];
  findStale: FindStale;
}

/** Learnings that match the question, then the best ones for its task type. */
export function learningSource({ stores, findStale }: LearningAccess): CandidateSource {
  return {
    kind: "learning",
    async find(question) {
      const found: Candidate[] = [];
      for (const repositories of stores)
        found.push(...(await learningCandidates(repositories, question, findStale)));
      return found;
    },
  };
}

async function learningCandidates(
  repositories: Repositories,
  question: RecallQuestion,
  findStale: FindStale,
): Promise<Candidate[]> {
  const byWords = await findByWords(repositories, question);
  const gathered = new Map<LearningSection, Map<Learning, number>>();
  for (const section of Object.keys(typesOf) as LearningSection[])
    gathered.set(section, await gather(repositories, question, section, byWords));
  const all = [...gathered.values()].flatMap((found) => [...found.keys()]);
  const lifts = await liftsOf(
    repositories,
    all.map(({ id }) => id),
  );
  const stale = await findStale(all);
  const chosen = [...gathered].flatMap(([section, found]) =>
    [...found]
      // Learnings that made tasks go worse are dropped.
      .filter(([{ id }]) => (lifts.get(id) ?? 0) >= 0)
      .map(([learning, text]) => {
        const { id } = learning;
        const signals = {
          text,
          prior: relevance(learning, question),
          errors: matchesErrors(learning, question.errors) ? 1 : 0,
          files: concernsFiles(learning, question.files) ? 1 : 0,
          evidence: lifts.get(id) ?? 0,
          stale: stale.get(id) ?? 0,
        };
        return { learning, section, signals, ...scoreOf(signals) };
      })
      .toSorted((one, other) => other.score - one.score)
      .filter(limitSameTypeOnly())
      .slice(0, learnings.shown[section]),
  );
  const contradicted = await contradictionsAmong(
    repositories,
    chosen.map(({ learning }) => learning.id),
  );
  return chosen.map(({ learning, section, signals, score, parts }) => {
    const text = lineOf(learning, question, {
      isStale: signals.stale > 0,
      contradicts: contradicted.get(learning.id) ?? [],
    });
    return {
      id: learning.id,
      kind: learningKind,
      section,
      statement: adviceOf(learning),
      text,
      score,
      parts,
    };
  });
}

/** Keeps learnings that match the question, and a few that share only its task type. */
function limitSameTypeOnly(): (candidate: { signals: Signals }) => boolean {
  let sameTypeOnly = 0;
  return ({ signals: { text, errors, files } }) => {
    if (text > 0 || errors || files) return true;
    sameTypeOnly += 1;
    return sameTypeOnly <= learnings.sameKindOnly;
  };
}

/** Learnings found by the words of the question, each with its relevance. */
async function findByWords(
  repositories: Repositories,
  question: RecallQuestion,
): Promise<ReadonlyMap<Learning, number>> {
  const found = new Map<string, { learning: Learning; text: number }>();
  const { leastOfBestCoverage } = relevanceWeights;
  for (const each of question.questions) {
    const hits = await searchRecords(repositories.lexical, {
      question: each,
      kind: learningKind,
      sources: [""],
      labelGroups: [["state:shown"]],
      limit: learnings.found,
      enough: learnings.enough,
      isExact: true,
    });
    const rows = await repositories.learnings.listByIds(hits.map(({ id }) => id));
    const byId = new Map(rows.map(({ learning }) => [learning.id, learning]));
    const ranked = hits.flatMap(({ id, score }) => {
      const item = byId.get(id);
      return item === undefined ? [] : [{ item, text: statementOf(item), score }];
    });
    for (const { item, relevance: share } of toRelevance(question.coverage, ranked, {
      leastOfBestCoverage,
    })) {
      const known = found.get(item.id)?.text ?? 0;
      found.set(item.id, { learning: item, text: Math.max(known, share) });
    }
  }
  return new Map([...found.values()].map(({ learning, text }) => [learning, text]));
}

/** The learnings of a section: those found by words, and the best for the task type. */
async function gather(
  repositories: Repositories,
  { taskType }: RecallQuestion,
  section: LearningSection,
  byWords: ReadonlyMap<Learning, number>,
): Promise<Map<Learning, number>> {
  const types: readonly LearningType[] = typesOf[section];
  const found = new Map([...byWords].filter(([{ type }]) => types.includes(type) && type !== "estimate"));
  if (taskType === "general") return found;
  const known = new Set([...found.keys()].map(({ id }) => id));
  const sameType = await repositories.learnings.list({
    types,
    taskTypes: [taskType],
    minConfidence: learnings.leastConfidence,
    limit: learnings.shown[section],
  });
  for (const { learning } of sameType) if (!known.has(learning.id)) found.set(learning, 0);
  return found;
}

/** Whether a learning mentions one of these files, or came from work on them. */
function concernsFiles(learning: Learning, files: readonly string[]): boolean {
  const own = learning.files ?? [];
  return matchesFiles(learning, files) || files.some((file) => own.some((path) => path.includes(file)));
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

function adviceOf(learning: Learning): string {
  const { prevention } = learning.content;
  return typeof prevention === "string" ? `${statementOf(learning)} → ${prevention}` : statementOf(learning);
}

function lineOf(
  learning: Learning,
  { iteration }: RecallQuestion,
  { isStale, contradicts }: { isStale: boolean; contradicts: readonly string[] },
): string {
  const { examples } = learning.content;
  const shown =
    learning.type === "convention" && examples?.length ? ` (as in ${examples.slice(0, 2).join(", ")})` : "";
  const remarks = [
    ...(learning.type === "estimate" && iteration !== undefined ? [`now at iteration ${iteration}`] : []),
    ...(learning.sourceLoops.length > 1 ? [`seen in ${counted(learning.sourceLoops.length, "task")}`] : []),
    ...(isStale ? ["its files have changed a lot since: check it"] : []),
    ...(contradicts.length > 0 ? [`contradicts ${contradicts.join(", ")}: decide which holds`] : []),
  ];
  const line = neutraliseLine(`${adviceOf(learning)}${shown}`, shownLength.learning);
  return `- [${learning.id}] ${line}${remarks.length === 0 ? "" : ` (${remarks.join("; ")})`}`;
}
