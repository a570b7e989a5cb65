import type { ExtractedLearning, LoopIteration, LoopState } from "../../domain/knowledge/learning.js";
import { withoutFenced } from "../../text/fence/fence.js";
import { isSameFailure } from "../../text/same-failure.js";
import { sameStatement, similarity } from "../../words/compare/similarity.js";
import { classifyTask } from "../classify/classify-task.js";
import { nameFailure } from "../classify/name-failure.js";
import { maxConfidence, minRepeats } from "../learning-limits.js";
import { estimateEffort } from "./estimate-effort.js";
import { findConventions } from "./find-conventions.js";
import { nameApproach } from "./name-approach.js";

/** Only what more successful iterations name than this share is a strategy. */
const minEffectiveness = 0.5;

/** Says an error in a few words; undefined if it says nothing. */
export type NameError = (message: string) => string | undefined;

/** The learnings of one loop: strategies, antipatterns, an estimate and conventions, in this order. */
export function extractLearnings(loop: LoopState, nameError: NameError = nameFailure): ExtractedLearning[] {
  const taskType = classifyTask(loop.objective);
  const sourceLoops = [loop.loopId];
  return [
    ...extractStrategies(loop, taskType),
    ...extractAntipatterns(loop, taskType, nameError),
    ...extractEstimate(loop, taskType),
    ...findConventions(loop.iterations.flatMap(({ filesModified }) => filesModified ?? [])).map(
      ({ pattern, examples, confidence }): ExtractedLearning => ({
        type: "convention",
        taskType: "general",
        content: { pattern, examples },
        confidence,
        sourceLoops,
        successRate: 1,
      }),
    ),
  ];
}

/** Approaches named by more than half of the successful iterations. */
function extractStrategies(loop: LoopState, taskType: string): ExtractedLearning[] {
  const successful = loop.iterations.filter(
    ({ status, analysis }) => status === "completed" && analysis?.progressMade === true,
  );
  const counted = countStatements(
    successful.map(({ learnings }) => newTexts(learnings).map(nameApproach)),
    isSameApproach,
  );
  return counted.flatMap(({ statement, count }): ExtractedLearning[] => {
    const effectiveness = count / successful.length;
    if (effectiveness <= minEffectiveness) return [];
    return [
      {
        type: "strategy",
        taskType,
        content: { description: statement, effectiveness, iterations: count },
        confidence: Math.min(effectiveness, maxConfidence.strategy),
        sourceLoops: [loop.loopId],
        successRate: effectiveness,
      },
    ];
  });
}

/** Failures that at least two iterations share. */
function extractAntipatterns(loop: LoopState, taskType: string, nameError: NameError): ExtractedLearning[] {
  const failed = loop.iterations.filter(({ status }) => status === "failed");
  const counted = countStatements(
    failed.map(({ analysis }) => newTexts(analysis?.errors).map(nameError)),
    isSameFailure,
  );
  return counted
    .filter(({ count }) => count >= minRepeats)
    .map(({ statement, count }) => ({
      type: "antipattern",
      taskType,
      content: { description: `Avoid: ${statement}`, occurrences: count, impact: "high" },
      confidence: Math.min(count / failed.length, maxConfidence.antipattern),
      sourceLoops: [loop.loopId],
      successRate: 0,
    }));
}

function extractEstimate(loop: LoopState, taskType: string): ExtractedLearning[] {
  const estimate = estimateEffort(loop);
  return estimate === undefined
    ? []
    : [{ type: "estimate", taskType, ...estimate, sourceLoops: [loop.loopId] }];
}

/** Drops what Ralph put into the prompt, even when its fence opens in one text and closes in a later one. */
function newTexts(texts: LoopIteration["learnings"] = []): string[] {
  const gap = "\u0000";
  return withoutFenced(texts.join(gap)).split(gap);
}

interface Counted {
  statement: string;
  /** The number of iterations that mention it. */
  count: number;
}

function countStatements(
  iterations: readonly (string | undefined)[][],
  isSame: (one: string, other: string) => boolean,
): Counted[] {
  const counted: Counted[] = [];
  for (const statements of iterations) {
    const seen = new Set<Counted>();
    for (const statement of statements) {
      if (statement === undefined) continue;
      let found = counted.find((known) => isSame(known.statement, statement));
      if (found === undefined) {
        found = { statement, count: 0 };
        counted.push(found);
      }
      if (!seen.has(found)) found.count += 1;
      seen.add(found);
    }
  }
  return counted;
}

function isSameApproach(one: string, other: string): boolean {
  return similarity(one, other) >= sameStatement;
}
