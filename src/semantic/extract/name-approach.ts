import { clipStatement } from "../classify/clip-statement.js";

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
