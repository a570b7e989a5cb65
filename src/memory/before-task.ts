import type { BriefRecord } from "../domain/brief.js";
import type { Learning, LearningType } from "../domain/learning.js";
import { searchRecords } from "../search/search-records.js";
import { classifyTask } from "../semantic/classify-task.js";
import { liftOf } from "../semantic/credit-brief.js";
import { learningKind } from "../semantic/keep-learning.js";
import { statementOf } from "../semantic/statement.js";
import type { Repositories } from "../store/store.js";
import { fenceAsData, neutraliseLine } from "../text/fence.js";

/** One line of a brief; the id leads to the whole record. */
export interface BriefEntry {
  id: string;
  summary: string;
}

/** What an agent should know before it begins. */
export interface BeforeTask {
  relevant_patterns: BriefEntry[];
  avoid_these: BriefEntry[];
  applicable_skills: BriefEntry[];
}

const advising: readonly LearningType[] = ["strategy", "pattern", "fact"];
const limit = 5;
const maxSummary = 240;

/** Patterns and mistakes that have to do with an objective: by its words, then those of its kind of task. */
export async function gatherBeforeTask(
  repositories: Repositories,
  objective: string,
  skills: readonly BriefEntry[],
): Promise<BeforeTask> {
  const taskType = classifyTask(objective);
  const about = async (types: readonly LearningType[]) =>
    (await listAbout(repositories, objective, taskType, types)).map(toEntry);
  return {
    relevant_patterns: await about(advising),
    avoid_these: await about(["antipattern"]),
    applicable_skills: [...skills],
  };
}

async function listAbout(
  repositories: Repositories,
  objective: string,
  taskType: string,
  types: readonly LearningType[],
): Promise<Learning[]> {
  const hits = await searchRecords(repositories.lexical, {
    text: objective,
    kind: learningKind,
    sources: [""],
    labelGroups: [types.map((type) => `type:${type}`), ["state:shown"]],
    limit,
    isExact: true,
  });
  const byWords = await Promise.all(hits.map(({ id }) => repositories.learnings.find(id)));
  const ofKind =
    taskType === "general" ? [] : await repositories.learnings.list({ types, taskTypes: [taskType], limit });
  const found = new Map<string, Learning>();
  for (const row of [...byWords, ...ofKind]) if (row !== undefined) found.set(row.learning.id, row.learning);
  return byEvidence(repositories, [...found.values()], limit);
}

/** What helped other tasks comes first, what harmed them goes; of the rest nothing is known, and the order stays. */
async function byEvidence(
  repositories: Repositories,
  learnings: readonly Learning[],
  most: number,
): Promise<Learning[]> {
  const lifts = new Map<string, number>();
  for (const { id } of learnings) lifts.set(id, await liftOf(repositories, id));
  const liftIn = ({ id }: Learning) => lifts.get(id) ?? 0;
  return learnings
    .filter((learning) => liftIn(learning) >= 0)
    .toSorted((one, other) => liftIn(other) - liftIn(one))
    .slice(0, most);
}

function toEntry(learning: Learning): BriefEntry {
  const { prevention } = learning.content;
  const advice =
    typeof prevention === "string" ? `${statementOf(learning)} → ${prevention}` : statementOf(learning);
  return { id: learning.id, summary: advice.slice(0, maxSummary) };
}

/** The records that were shown, so that the outcome can be credited to them. */
export function recordsOf({ relevant_patterns, avoid_these, applicable_skills }: BeforeTask): BriefRecord[] {
  return [
    ...[...relevant_patterns, ...avoid_these].map(({ id }) => ({ id, kind: "learning" })),
    ...applicable_skills.map(({ id }) => ({ id, kind: "skill" })),
  ];
}

/** For a prompt: fenced as data; empty when nothing is known. */
export function renderBeforeTask({ relevant_patterns, avoid_these, applicable_skills }: BeforeTask): string {
  const section = (title: string, entries: readonly BriefEntry[]) =>
    entries.length === 0
      ? []
      : [title, ...entries.map(({ id, summary }) => `- [${id}] ${neutraliseLine(summary)}`), ""];
  const lines = [
    ...section("Relevant patterns", relevant_patterns),
    ...section("Avoid these", avoid_these),
    ...section("Applicable skills", applicable_skills),
  ];
  return lines.length === 0
    ? ""
    : `${fenceAsData("What earlier tasks taught", lines.join("\n").trimEnd())}\n\n`;
}
