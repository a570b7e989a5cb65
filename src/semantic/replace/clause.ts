import { looseStem } from "../../words/stem.js";

/** One word of a clause, as written and as a key for comparison. */
export interface ClauseWord {
  written: string;
  key: string;
  /** In quotation marks or backticks, so it counts as a name. */
  isQuoted: boolean;
}

/** One clause of a statement, without filler words. */
export interface Clause {
  words: ClauseWord[];
  /** Says that something holds from now on: "now", "from now on", "these days". */
  isNew: boolean;
  /** What it denies: the words after ", not" or "instead of" at its end. */
  denied: ClauseWord[];
}

const newness = /\b(?:from now on|as of now|now|currently|these days|nowadays|since then)\b,?/i;
const denial = /,? (?:not|instead of|rather than|and not|no longer) ([^,;]+?)(?: any ?more)?[.!]?$/i;
const dropped: ReadonlySet<string> = new Set(
  "a an the we i you our your my please just actually still already always also it's".split(" "),
);

/** Splits a text into clauses at sentence ends, semicolons, dashes and "but". */
export function clausesOf(text: string): Clause[] {
  return text
    .replace(/\s+/g, " ")
    .split(/(?<=\w\w["'`)\]]?[.!?])\s|;\s*|\s[–—-]\s|,? but |, (?:and )?(?=now\b)/i)
    .map(parseClause)
    .filter(({ words }) => words.length > 0);
}

function parseClause(text: string): Clause {
  const plain = text.replace(newness, " ").replace(/\s+/g, " ").trim();
  const denied = denial.exec(plain)?.[1] ?? "";
  return {
    words: wordsIn(denied === "" ? plain : plain.replace(denial, "")),
    isNew: newness.test(text),
    denied: wordsIn(denied),
  };
}

/** Strips punctuation around words, not inside them: `fly.io`, `18.10`, `src/index.ts`. */
function wordsIn(text: string): ClauseWord[] {
  return text.split(" ").flatMap((token) => {
    const written = token.replace(/^["'`(*]+|["'`),.;:!?*]+$/g, "");
    const word = written.toLowerCase();
    if (word === "" || dropped.has(word)) return [];
    return [{ written, key: looseStem(word), isQuoted: /["'`]/.test(token) }];
  });
}
