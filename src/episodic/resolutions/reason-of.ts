import type { Action } from "../../domain/tasks/action.js";

/** What only says that something comes next: "Let me look at the test output", "I will write the module". */
const announcing =
  /^(?:(?:ok(?:ay)?|now|next|first|then|so|and|alright|all right|great|good|perfect|sure|right|hm+)[,.!:]?\s+)*(?:let me|let(?:'|’)?s|let us|i(?:'|’)ll|i will|(?:i(?:'|’)m|i am) (?:going|about) to|(?:i(?:'|’)m |i am )?(?:looking|checking|reading|inspecting|investigating|running|trying|continuing|starting|working|moving)\b|i (?:need|have|want) to (?:look|check|see|read|find|run|understand|figure|inspect|investigate))/i;
/** It says more than that. */
const explaining = /\b(?:because|since|as the|so that|instead|must|otherwise|which is why|needs?)\b/i;
const redacted = /\[redacted:/;

/** Why an agent did something, in its own words: the first line, without what only announces the step. */
export function reasonOf({ reasoning = "" }: Pick<Action, "reasoning">): string {
  const [line = ""] = reasoning.trim().split("\n", 1);
  if (redacted.test(line)) return "";
  const sentences = line.split(/(?<=[.!?:])\s+/);
  return sentences
    .filter((sentence) => !announcing.test(sentence) || explaining.test(sentence))
    .join(" ")
    .replace(/[.:;]+$/, "");
}
