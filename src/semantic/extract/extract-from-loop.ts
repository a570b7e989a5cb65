import type { ExtractedLearning, LoopIteration, LoopState } from "../../domain/knowledge/learning.js";
import { withoutFenced } from "../../text/fence/fence.js";
import { isSameFailure } from "../../text/same-failure.js";
import { sameStatement, similarity } from "../../words/similarity.js";
import { classifyTask } from "../classify-task.js";
import { maxConfidence, maxExamples, minRepeats } from "../learning-limits.js";
import { estimateEffort } from "./estimate-effort.js";
import { clipStatement } from "./statements.js";

/** Only what more successful iterations name than this share is a strategy. */
const minEffectiveness = 0.5;

/** Says an error in a few words; undefined if it says nothing. */
type NameError = (message: string) => string | undefined;

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

/** Common approaches, by how people describe them. */
const approaches: readonly (readonly [name: string, pattern: RegExp])[] = [
  [
    "Test-driven development approach",
    /\btest[- ](?:driven|first)\b|\btdd\b|\btests?\b(?:\s+\S+){0,2}\s+first\b|\bfirst\s+(?:wrote|writ\w+|add\w*|creat\w+)\b.*\btests?\b/i,
  ],
  ["Implement first, refactor after", /\brefactor\w*\b.*\bafter(?:wards?)?\b/i],
  [
    "Incremental implementation",
    /\bincremental(?:ly)?\b|\bstep[- ]by[- ]step\b|\bone \S+ at a time\b|\bin small steps\b/i,
  ],
  [
    "Minimal changes approach",
    /\b(?:minimal|small(?:er|est)?)\s+(?:\w+\s+)?(?:changes?|edits?|fix(?:es)?|diffs?|patch(?:es)?|approach)\b/i,
  ],
];

const negated = /\b(?:not|never|no|without|avoid\w*|stop\w*|instead of|fail\w*|useless|wrong)\b|n['’]t\b/i;

/**
 * The name of the approach that a text describes; a short version of the text itself when it matches none or argues
 * against one.
 */
export function nameApproach(text: string): string | undefined {
  const start = text.slice(0, 2000);
  const known = negated.test(start) ? undefined : approaches.find(([, pattern]) => pattern.test(start));
  return known?.[0] ?? clipStatement(start);
}

interface FoundConvention {
  pattern: string;
  examples: string[];
  confidence: number;
}

/** Conventions that the paths of changed files show. */
function findConventions(files: readonly string[]): FoundConvention[] {
  const paths = [...new Set(files.map((file) => file.replaceAll("\\", "/")))];
  const tests = paths.filter(isTest);
  const modules = paths.filter((path) => /\.(?:mjs|ts)$/.test(path));
  const source = findSourceFolder(paths.filter((path) => !isTest(path)));
  return [
    conventionOf("Tests co-located with source or in test/ directory", tests, 0.7),
    conventionOf("ES modules (.mjs) or TypeScript (.ts)", modules, 0.8),
    conventionOf(`Source files organized under ${source.directory}/`, source.files, 0.6),
  ].filter(({ examples }) => examples.length > 0);
}

function conventionOf(pattern: string, files: readonly string[], confidence: number): FoundConvention {
  return { pattern, examples: files.slice(0, maxExamples), confidence };
}

function isTest(path: string): boolean {
  return path.includes(".test.") || path.includes(".spec.");
}

/** The top-level directory of most files; needs at least three of them. */
function findSourceFolder(paths: readonly string[]): { directory: string; files: string[] } {
  const byDirectory = new Map<string, string[]>();
  for (const path of paths) {
    const [directory = "", ...rest] = path.replace(/^\.\//, "").split("/");
    if (rest.length === 0 || directory === "" || directory === "..") continue;
    byDirectory.set(directory, [...(byDirectory.get(directory) ?? []), path]);
  }
  const isSource = (files: readonly string[]) => files.length >= 3 && files.length > paths.length / 2;
  const found = [...byDirectory].find(([, files]) => isSource(files));
  return found === undefined ? { directory: "", files: [] } : { directory: found[0], files: found[1] };
}

/** Common failures, by their published names; the most specific pattern comes first. */
const failures: readonly (readonly [pattern: RegExp, name: string])[] = [
  [
    /cannot find (?:module|package)|\bmodule\b.*\bnot found\b|modulenotfound|no module named/i,
    "Module not found - verify dependencies installed",
  ],
  [
    /\bpermission|access denied|\bEACCES\b|\bEPERM\b/i,
    "Permission errors - check file/directory permissions",
  ],
  [/time-?out|timed[ -]?out/i, "Timeout errors - break into smaller steps"],
  [/\bsyntax|\bpars(?:e|er|ing)\b/i, "Syntax errors - check code carefully before execution"],
  [/undefined|\bnull/i, "Null/undefined errors - add validation checks"],
];

/**
 * The published name of the common failure that an error message matches, else a short version of the message. It is for
 * loops that other programs describe: where a tool's own message is known, that says more, and its advice is not a guess.
 */
export function nameFailure(message: string): string | undefined {
  const start = message.slice(0, 2000);
  return failures.find(([pattern]) => pattern.test(start))?.[1] ?? clipStatement(start);
}
