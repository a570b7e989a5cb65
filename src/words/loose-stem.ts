import { memoize } from "../text/memoize.js";
import { stem } from "./stem.js";

/** A stem for comparing texts: unlike in the index, British and American spellings have the same stem. */
export const looseStem = memoize((word) => stem(word.replace(britishEnding, "$1z$2")));

/** As in "optimise" and "analysed", but not "revise", which belongs to "revision". */
const britishEnding = /(?<=..[^v])([iy])s(e|es|ed|er|ers|ing|ation|ations)$/;
