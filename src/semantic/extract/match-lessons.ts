import { contentStems } from "../../words/content-stems.js";
import { backgroundShare } from "../../words/frequencies/word-frequencies.js";
import { isVague } from "./is-vague.js";
import type { Problem } from "./task-record.js";

/** Shared words must weigh this much together: a rare one, or several common ones. */
const leastShared = 5;

/** Files alone do not tell what was done in them. */
const filesAlone = /^edit \S+(?:, then edit \S+)*$/;

/** For each statement, the problem of its task that it is about, if any. */
export function matchLessons(
  statements: readonly string[],
  problems: readonly Problem[],
): Map<string, Problem> {
  const solved = problems.filter(({ state }) => state === "solved");
  // The only problem of a task whose actions do not tell what helped is what its words are about.
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
