import { compareStatements, sameStatement } from "../../words/compare/similarity.js";
import { type StatementWords, statementWords } from "../../words/compare/statement-words.js";

/** Compares texts, each of which is read once. */
export function makeSameness(): (one: string, other: string) => boolean {
  const bags = new Map<string, StatementWords>();
  const read = (text: string): StatementWords => {
    const bag = bags.get(text) ?? statementWords(text);
    bags.set(text, bag);
    return bag;
  };
  return (one, other) => one === other || compareStatements(read(one), read(other)) >= sameStatement;
}
