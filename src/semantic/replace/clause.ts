import { stem } from "../../words/stem.js";

/** One word of a clause, as it was written and as it is compared. */
export interface ClauseWord {
  written: string;
  key: string;
  /** It stood in quotation marks or backticks: a name, whatever it looks like. */
  isQuoted: boolean;
}

/** One clause of a statement, without words that do not change what it says. */
export interface Clause {
  words: ClauseWord[];
  /** It says that this is how things are now: "now", "from now on", "these days". */
  isNew: boolean;
  /** What it says is not so: the words behind ", not" or "instead of" at its end. */
  denied: ClauseWord[];
}

const newness = /\b(?:from now on|as of now|now|currently|these days|nowadays|since then)\b,?/i;
const denial = /,? (?:not|instead of|rather than|and not|no longer) ([^,;]+?)(?: any ?more)?[.!]?$/i;
const dropped: ReadonlySet<string> = new Set(
  "a an the we i you our your my please just actually still already always also it's".split(" "),
);

/** The clauses of a text: its sentences and what "but" and semicolons divide. */
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

/** Marks around a word go, marks inside it stay: `fly.io`, `18.10`, `src/index.ts`. */
function wordsIn(text: string): ClauseWord[] {
  return text.split(" ").flatMap((token) => {
    const written = token.replace(/^["'`(*]+|["'`),.;:!?*]+$/g, "");
    const word = written.toLowerCase();
    if (word === "" || dropped.has(word)) return [];
    return [{ written, key: stem(word), isQuoted: /["'`]/.test(token) }];
  });
}
