import type { ExtractedLearning, SourceFigures } from "../../../domain/knowledge/learning.js";
import { combineWays } from "../../merge/convention-figures.js";
import { casesOf } from "../../merge/source-figures.js";
import type { TaskRecord } from "../task-record.js";
import { commandWays } from "./command-ways.js";
import { commitWays } from "./commit-ways.js";
import { fileWays } from "./file-ways.js";

/** How things are done in a project, as far as one task shows it: a convention for each subject, to be joined with others. */
export function taskWays(task: TaskRecord): ExtractedLearning[] {
  const bySubject = new Map<string, NonNullable<SourceFigures["ways"]>>();
  const ways = [...fileWays(task.files), ...commandWays(task.commands), ...commitWays(task.commands)];
  for (const { subject, choice, example } of ways) {
    const known = bySubject.get(subject) ?? {};
    const { cases } = known[choice] ?? { cases: 0 };
    bySubject.set(subject, { ...known, [choice]: { cases: cases + 1, example } });
  }
  return [...bySubject].flatMap(([subject, choices]) => toConvention(task, subject, choices) ?? []);
}

const wordingConfidence = 0.7;

function toConvention(
  { task_id, ended, episodes }: TaskRecord,
  subject: string,
  ways: NonNullable<SourceFigures["ways"]>,
): ExtractedLearning | undefined {
  const count = Object.values(ways).reduce((sum, { cases }) => sum + cases, 0);
  const figures: SourceFigures = {
    ...{ confidence: wordingConfidence, successRate: 1, count, at: ended },
    ways,
  };
  const combined = combineWays([figures]);
  if (combined === undefined) return undefined;
  return {
    type: "convention",
    taskType: "general",
    content: { subject, ...combined.content },
    confidence: combined.confidence,
    successRate: 1,
    sourceLoops: [],
    source_episodes: [...episodes],
    merged: { wordingConfidence, sources: { [casesOf(task_id)]: figures }, uses: {} },
  };
}
