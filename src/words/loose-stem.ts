import { memoize } from "../text/memoize.js";
import { stem } from "./stem.js";

/** A stem for comparing texts: unlike in the index, British and American spellings have the same stem. */
export const looseStem = memoize((word) =>
  stem(word.includes("is") || word.includes("ys") ? word.replace(britishEnding, "$1z$2") : word),
);

/** As in "optimise" and "analysed", but not "revise", which belongs to "revision". */
const britishEnding = /(?<=..[^v])([iy])s(e|es|ed|er|ers|ing|ation|ations)$/;
