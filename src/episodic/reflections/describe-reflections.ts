import { earlyHeading, type Reflection } from "../../domain/tasks/reflection.js";
import { isSameFailure } from "../../text/same-failure.js";
import { isSaid, saidWords } from "../../text/say-once.js";
import { lessonGist, readTried } from "./work-tried.js";

/** Failures that differ in a name are different ones. */
const sameFailure = 0.95;

export interface DescribedReflection {
  reflection: Reflection;
  /** Such as "Attempt 1, iteration 2". */
  where: string;
  /** What it says; a failure that was spelled out before is only mentioned. */
  text: string;
}

/** What reflections say, newest first. The same work with the same failure appears once; a failure is spelled out once, counting the text before. */
export function describeReflections(reflections: readonly Reflection[], before = ""): DescribedReflection[] {
  const lines = before.split("\n").filter((line) => line.startsWith("- "));
  const known = lines.map((line) => ({ words: saidWords(line), id: /^- (\[[^\]]+\])/.exec(line)?.[1] }));
  const failures: string[] = [];
  const mention = (failure: string): string => {
    if (failures.some((known) => isSameFailure(known, failure))) return "the same failure";
    failures.push(failure);
    const words = saidWords(failure);
    const above = known.find((line) => isSaid(words, [line.words], sameFailure));
    if (above !== undefined)
      return above.id === undefined ? "the failure above" : `the failure of ${above.id} above`;
    return failure;
  };
  const tried = new Set<string>();
  return reflections.toReversed().flatMap((reflection) => {
    const statement = reflection.learning || reflection.observation;
    const parts = readTried(statement);
    const gist = lessonGist(statement);
    if (tried.has(gist)) return [];
    tried.add(gist);
    const text = parts === undefined ? statement : `${parts.tried}: ${mention(parts.failure)}`;
    return [{ reflection, where: whereOf(reflection), text }];
  });
}

function whereOf({ attempt_id: attempt, iteration }: Reflection): string {
  if (attempt === 0) return earlyHeading;
  return iteration === undefined ? `Attempt ${attempt}` : `Attempt ${attempt}, iteration ${iteration}`;
}
