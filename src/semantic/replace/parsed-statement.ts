import { type StatementWords, statementWords } from "../../words/statement-words.js";
import { type Clause, clausesOf } from "./clause.js";

/** A text that is compared with several others; it is parsed once, and only as far as that is needed. */
export interface ParsedStatement {
  text: string;
  words(): StatementWords;
  clauses(): readonly Clause[];
}

export function parseStatement(text: string): ParsedStatement {
  let words: StatementWords | undefined;
  let clauses: readonly Clause[] | undefined;
  return {
    text,
    words: () => {
      words ??= statementWords(text);
      return words;
    },
    clauses: () => {
      clauses ??= clausesOf(text);
      return clauses;
    },
  };
}
