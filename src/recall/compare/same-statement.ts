import { compareStatements, sameStatement } from "../../words/compare/similarity.js";
import { type StatementWords, statementWords } from "../../words/compare/statement-words.js";

/** Whether two texts say the same; parses each text once. */
export function makeComparison(): (one: string, other: string) => boolean {
  const parsed = new Map<string, StatementWords>();
  const parse = (text: string): StatementWords => {
    const words = parsed.get(text) ?? statementWords(text);
    parsed.set(text, words);
    return words;
  };
  return (one, other) => one === other || compareStatements(parse(one), parse(other)) >= sameStatement;
}
