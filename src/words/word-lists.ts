import { wordSet } from "../text/word-set.js";

const silent =
  "a about also am an and are as at be been being but by can cannot could did do does doing don for from had has have having he her here hers " +
  "him his how i if in into is isn it its just let me my no nor not of on or our please s she should so t than that the their them then there these " +
  "they this those to us was we were what when where which who whom why will with would you your";
const quiet =
  "all any because before both each few further get gets got more most off once only other out over own same some such through too until " +
  "up very while";

/** Function words, ignored in questions. */
export const silentWords = wordSet(silent);

/** Words that say nothing about the topic of a text. */
export const stopWords = wordSet(`${silent} ${quiet}`);

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

const everyGenericList = [stopWords, fillers, guidance, generic, limits, roleWords];

/** Whether a word says little about a topic: "always", "use", "add", "after". */
export function isGenericWord(word: string): boolean {
  return everyGenericList.some((words) => words.has(word));
}
