import { memoize } from "../text/memoize.js";
import { stem } from "./stem.js";

/** The stem of a word for comparing texts: British and American spellings have the same one. The index tells them apart. */
export const looseStem = memoize((word) => stem(word.replace(britishEnding, "$1z$2")));

/** As in "optimise" and "analysed"; not as in "revise", which goes with "revision". */
const britishEnding = /(?<=..[^v])([iy])s(e|es|ed|er|ers|ing|ation|ations)$/;
