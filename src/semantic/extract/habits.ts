import type { ExtractedLearning, SourceFigures } from "../../domain/knowledge/learning.js";
import { combineWays, otherWay } from "../merge/agreed-habit.js";
import { casesOf } from "../merge/source-figures.js";
import { commandWays } from "./command-habits.js";
import { fileWays } from "./file-habits.js";
import type { TaskRecord } from "./task-record.js";

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

/** One case of how something is done in a project. */
export interface Way {
  /** What it is about; cases of one subject are compared with each other. */
  subject: string;
  /** How it is done, as a sentence; `otherWay` if everybody expects that, or if it follows no rule. */
  choice: string;
  /** The file or command that shows it. */
  example: string;
}

const styles: readonly (readonly [sentence: string, pattern: RegExp])[] = [
  [
    "Commit messages follow Conventional Commits",
    /^(?:feat|fix|chore|docs|refactor|test|perf|build|ci|style|revert)(?:\([^)\n]+\))?!?: \S/,
  ],
  ["Commit messages start with a ticket number", /^\[?[A-Z][A-Z0-9]+-\d+\]?:? \S/],
];

/** The style of the commit messages in these commands. */
function commitWays(lines: readonly string[]): Way[] {
  return lines.flatMap((line) => {
    const message = messageIn(line);
    if (message === undefined) return [];
    const [sentence = otherWay] = styles.find(([, pattern]) => pattern.test(message)) ?? [];
    return [{ subject: "commit messages", choice: sentence, example: message.slice(0, 60) }];
  });
}

/** The first line of a commit's message. */
function messageIn(line: string): string | undefined {
  const options = /\bgit\s+(?:-\S+\s+(?:\S+\s+)?)?commit\b([\s\S]{0,400})/.exec(line)?.[1];
  if (options === undefined || /--amend|--fixup|--squash/.test(options)) return undefined;
  const given = /\s(?:-\w*m\s*|--message[= ])([\s\S]+)/.exec(options)?.[1];
  if (given === undefined) return undefined;
  const document = /^["']?\$\(cat\s*<<-?\s*["']?\w+["']?\n\s*([^\n]+)/.exec(given)?.[1];
  const quoted = document ?? /^(["'])([^\n]*?)(?:\1|\n|$)/.exec(given)?.[2];
  const message = quoted?.trim();
  return message === "" ? undefined : message;
}
