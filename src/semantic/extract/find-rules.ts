import { isVague } from "./statements.js";

const maxPrompt = 2000;
const minWords = 4;
const maxWords = 40;

const fromNowOn = "^(?:from now on|as a rule(?!-)|for the future)\\b";
const toRemember = "^(?:remember|keep in mind) (?:to|that)\\b";
const here = "(?:in|for) (?:this|our|the whole) (?:repo(?:sitory)?|project|code ?base|team|monorepo|company)";
/** Somebody says how things are done, now and later. */
const standing = new RegExp(
  [
    fromNowOn,
    toRemember,
    `^${here}\\b`,
    "^(?:(?:you|agents?|everybody|everyone) (?:should|must|have to|has to|needs? to) )?(?:always|never) (?!(?:mind|ever|when|if|the|i|it|a|worked|works?|shows?|happens?|happened|was|were|is|been|had|has|seen|saw|got|gets)\\b)[a-z]+",
    "^we (?:(?:always|never) (?!\\w+ed\\b|had|did|was|were|got|saw|went)[a-z]+|(?:use|prefer) (?!this\\b|that\\b|these\\b|it\\b|them\\b)|(?:only|don't|do not) (?:use|support|allow|write|commit|push|deploy|mock|import)\\b)",
    `^(?:use|prefer|avoid) .*\\b${here}\\b`,
  ].join("|"),
  "i",
);
/** Says itself that it holds beyond the task: what else a first prompt demands is the task, or the state that it is to change. */
const lasting = new RegExp(
  [
    fromNowOn,
    toRemember,
    `^${here},? (?:(?:we|you|please) )?(?:\\w+ [^,.;]{1,40}, )?(?:always|never|don't|do not|must not) (?!\\w+ed\\b|had|did|was|were|got|saw|went)`,
    `^(?:always|never|don't|do not) .*\\b${here}\\b`,
  ].join("|"),
  "i",
);
/** Somebody corrects what was done: one thing in the place of another one. */
const correcting =
  /^(?:(?:just|you (?:should|must|have to|need to)) )?(?:use|run|call|install with)\b .{1,120}?(?:\binstead\b|\brather than\b|,? (?:and )?not\b)|^you (?:should|must|have to|need to) (?:use|run|call|start)\b|^(?:don't|do not|never|stop) (?:use|using|run|running|call|calling)\b .{1,80}?[,;.–—-]+ ?(?:but )?(?:use|run|call)\b/i;
/** What holds only now, or is asked. */
const passing =
  /\b(?:for now|this time|right now|at the moment|today|for the moment|temporarily|just this once|yet)\b|\?\s*$/i;
/** About what is seen, not about what is to be done. */
const telling = /^(?:it|that|this|there|the|i|i'm|my)\b/i;
const opening =
  /^(?:(?:no|nope|wait|stop|hold on|hm+|ok(?:ay)?|yes|well|actually|please|and|but|so|also)\b[,.;:! –—-]*)+(?=\S)/i;

/**
 * What a person says that holds beyond the task at hand: few sentences, and only those that are said as rules. A correction is one
 * only if it is about a program that was run, or names code: "use the blue one instead" is not.
 */
export function findRules(prompt: string, programs: readonly string[]): string[] {
  return rulesIn(
    prompt,
    (text) => standing.test(text) || (correcting.test(text) && namesProgram(text, programs)),
  );
}

/** What the first prompt, or an objective, says that holds beyond it. */
export function findLastingRules(objective: string): string[] {
  return rulesIn(objective, (text) => lasting.test(text));
}

function rulesIn(prompt: string, isRule: (text: string) => boolean): string[] {
  if (prompt.length > maxPrompt) return [];
  return sentencesOf(prompt).flatMap((sentence) => {
    const text = sentence.replace(opening, "").trim();
    const words = text.split(/\s+/);
    if (words.length < minWords || words.length > maxWords) return [];
    if (passing.test(text) || telling.test(text) || isVague(text) || !isRule(text)) return [];
    return [`${text.charAt(0).toUpperCase()}${text.slice(1).replace(/[\s.;,!]+$/, "")}`];
  });
}

function namesProgram(text: string, programs: readonly string[]): boolean {
  if (/`[^`]+`/.test(text)) return true;
  const words = new Set(text.toLowerCase().split(/[^\w.@/-]+/));
  return programs.some((program) => program.length > 1 && words.has(program.toLowerCase()));
}

/** Without code, quotations and logs, which somebody else wrote. */
function sentencesOf(prompt: string): string[] {
  return prompt
    .replace(/```[\s\S]*?(?:```|$)/g, "\n")
    .split("\n")
    .filter((line) => !/^\s*(?:>|\||\d+[:|]|at |[A-Z]+ \d|\[|<|[{}]|\$ )/.test(line))
    .flatMap((line) => line.split(/(?<=[.!?;])\s+(?=["'`(]?\S)/))
    .map((sentence) => sentence.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim())
    .filter((sentence) => sentence !== "");
}
