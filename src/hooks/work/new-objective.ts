import { similarity } from "../../words/compare/similarity.js";

/** Words with which somebody goes on about the same thing. */
const continuing =
  /^(?:yes|no|ok(?:ay)?|sure|thanks?|please|and|also|but|so|now|then|next|again|continue|go on|keep|try|retry|still|instead|actually|wait|stop|undo|revert|it|that|this|these|those|why|what|how|where|which|same|looks?|commit|push|run|fix (?:it|that|this))\b/i;
const fewWords = 5;
/** Two statements that share hardly a word. */
const differsBelow = 0.12;

/** Whether a prompt is clearly about something else than the task at hand; in doubt it is not. */
export function isNewObjective(objective: string, prompt: string): boolean {
  const text = prompt.trim();
  if (text.split(/\s+/).length < fewWords || continuing.test(text)) return false;
  return similarity(objective, text) < differsBelow;
}
