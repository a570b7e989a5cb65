import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import { programsOf } from "../../domain/tasks/command-kind.js";
import { withoutFenced } from "../../text/fence/fence.js";
import { unique } from "../../text/unique.js";
import { backgroundShare } from "../../words/word-frequencies.js";
import { contentStems } from "../../words/word-weight.js";
import { classifyTask } from "../classify-task.js";
import { maxConfidence } from "../learning-limits.js";
import { instructionIn } from "../staging/validate-learning.js";
import { taskEstimate } from "./estimate-effort.js";
import { findLastingRules, findRules } from "./find-rules.js";
import { taskWays } from "./habits.js";
import { problemCategory, problemLesson } from "./problem-lessons.js";
import { clipStatement, isVague } from "./statements.js";
import type { Problem, TaskRecord } from "./task-record.js";

/** A finding of one task. */
export interface Finding {
  learning: ExtractedLearning;
  /** Worth keeping on the word of one task; otherwise another one must confirm it. */
  isReady: boolean;
  /** It is something said that reads like an instruction to an agent: a person decides. */
  isSuspect?: boolean;
}

const maxFiles = 20;

/** What a finished task teaches: problems with their remedies, and what somebody said that is about no problem. */
export function extractFromTask(task: TaskRecord): Finding[] {
  const taskType = classifyTask(task.objective);
  const statements = unique(task.statements.flatMap((text) => clipStatement(withoutFenced(text)) ?? []));
  const spoken = task.succeeded ? statements : [];
  const telling = spoken.filter((statement) => !isVague(statement));
  const suspect = spoken.filter((statement) => instructionIn(statement) !== undefined);
  const matched = matchLessons(
    telling.filter((statement) => !suspect.includes(statement)),
    task.problems,
  );
  const isAboutProblem = (statement: string) => matched.get(statement)?.isParticular === false;
  return [
    ...task.problems.flatMap((problem): Finding[] => {
      const said = spoken.filter((statement) => matched.get(statement) === problem);
      const learning = problemLesson(task, taskType, problem, said);
      return learning === undefined ? [] : [{ learning, isReady: learning.content.prevention !== undefined }];
    }),
    ...spoken
      .filter((statement) => !isAboutProblem(statement))
      .map((statement) => ({
        learning: strategy(task, taskType, statement, matched.get(statement)),
        isReady: telling.includes(statement),
        isSuspect: suspect.includes(statement),
      })),
    ...task.problems
      .filter(isFlaky)
      .map((problem) => ({ learning: flakiness(task, problem), isReady: false })),
    ...rulesOf(task).map((rule) => ({ learning: convention(task, rule), isReady: true })),
    // Prompts of a person are no iterations of a loop, and the person's pauses no work.
    ...[...(task.isSession ? [] : taskEstimate(task, taskType)), ...taskWays(task)].map((learning) => ({
      learning,
      isReady: false,
    })),
  ];
}

/** What the person said holds in general, as short as other statements. */
function rulesOf({ objective, prompts, commands, problems }: TaskRecord): string[] {
  const programs = unique(
    [...commands, ...problems.flatMap(({ checks }) => checks)]
      .flatMap(programsOf)
      .map((program) => program.split(" ")[0] ?? ""),
  );
  const rules = [...findLastingRules(objective), ...prompts.flatMap((prompt) => findRules(prompt, programs))];
  return unique(rules.flatMap((rule) => clipStatement(withoutFenced(rule)) ?? []));
}

function isFlaky({ state, isParticular }: Problem): boolean {
  return state === "flaky" && !isParticular;
}

/** What somebody said; `problem` is one that concerns this task alone. */
function strategy(
  task: TaskRecord,
  taskType: string,
  statement: string,
  problem?: Problem,
): ExtractedLearning {
  return {
    type: "strategy",
    taskType,
    ...(problem !== undefined && { category: problemCategory(problem) }),
    content: {
      description: statement,
      ...(problem !== undefined && { why: problem.message }),
      effectiveness: 1,
      iterations: 1,
    },
    confidence: maxConfidence.strategy,
    successRate: 1,
    ...sourcesOf(task),
  };
}

/** What a person said holds for every task. */
function convention(task: TaskRecord, rule: string): ExtractedLearning {
  return {
    type: "convention",
    taskType: "general",
    content: { pattern: rule },
    confidence: maxConfidence.convention,
    successRate: 1,
    ...sourcesOf(task),
    files: [],
  };
}

/** A failure that goes away by itself is worth knowing once it did so in several tasks. */
function flakiness(task: TaskRecord, { key, message }: Problem): ExtractedLearning {
  return {
    type: "fact",
    taskType: "general",
    category: "flaky",
    content: { description: `Flaky: "${clipStatement(message) ?? message}" went away without a change` },
    confidence: 0.6,
    successRate: 1,
    ...sourcesOf(task),
    files: [],
    failure_key: key,
  };
}

function sourcesOf(task: TaskRecord) {
  return {
    sourceLoops: [task.task_id],
    source_episodes: [...task.episodes],
    files: task.files.slice(0, maxFiles),
    ...(task.git_commit !== undefined && { git_commit: task.git_commit }),
  };
}

/** Shared words must weigh this much together: a rare one, or several common ones. */
const leastShared = 5;

/** Files alone do not say what was done in them. */
const filesAlone = /^edit \S+(?:, then edit \S+)*$/;

/** For each statement, the problem of its task that it is about, if any. */
export function matchLessons(
  statements: readonly string[],
  problems: readonly Problem[],
): Map<string, Problem> {
  const solved = problems.filter(({ state }) => state === "solved");
  // If the actions do not show what helped, the agent's words are about the task's only problem.
  const untold =
    solved.length === 1 ? solved.find(({ remedy }) => !remedy || filesAlone.test(remedy.text)) : undefined;
  const matches = new Map<string, Problem>();
  for (const statement of statements) {
    const words = stemsOf(statement);
    const [best] = solved
      .map((problem) => ({ problem, shared: sharedWeight(words, problem) }))
      .sort((one, other) => other.shared - one.shared);
    if (best !== undefined && best.shared >= leastShared) matches.set(statement, best.problem);
    else if (untold !== undefined && !isVague(statement)) matches.set(statement, untold);
  }
  return matches;
}

function sharedWeight(words: ReadonlySet<string>, { code = "", message, remedy, checks }: Problem): number {
  const own = stemsOf(`${code} ${message} ${remedy?.text ?? ""}`);
  const named = stemsOf(checks.join(" "));
  let sum = 0;
  for (const word of words) {
    const weight = Math.min(5, -Math.log(backgroundShare(word)) - 2);
    if (own.has(word)) sum += Math.max(0, weight);
    else if (named.has(word)) sum += Math.max(0, weight) / 4;
  }
  return sum;
}

function stemsOf(text: string): Set<string> {
  return new Set(contentStems(text, { shortest: 2 }));
}
