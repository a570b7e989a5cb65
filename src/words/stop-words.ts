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
