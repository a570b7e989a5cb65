import { wordSet } from "../text/word-set.js";
import { stopWords } from "./stop-words.js";

export const roleWords = wordSet("before after than over from into on by");

export const limits = wordSet("only off out until unless except before after more most");

export const fillers = wordSet(
  "always please remember ensure sure must should shall need needs really simply actually basically currently now just very quite " +
    "generally note that when whenever may might able re ve ll d ca wo however therefore thus hence still already yet every each",
);

export const guidance = wordSet(
  "use uses used using usage prefer prefers preferred make makes making made recommend recommended want wants " +
    "see try done doing",
);

export const generic = wordSet(
  "run runs running ran add adds added adding set sets setting put puts work works working time code file files project thing " +
    "things way new change changes changed keep keeps kept call calls called go goes going give take takes fix fixes fixed " +
    "fixing update updates updated issue problem implement create",
);

const all = [stopWords, fillers, guidance, generic, limits, roleWords];

/** Whether a word says little about a topic: "always", "use", "add", "after". */
export function isGenericWord(word: string): boolean {
  return all.some((words) => words.has(word));
}
