import { compareStatements, sameStatement } from "../../words/similarity.js";
import { isTopic, type StatementWords } from "../../words/statement-words.js";
import { changedValue } from "./changed-value.js";
import { type ParsedStatement, parseStatement } from "./parsed-statement.js";
import { retracts } from "./retraction.js";

/** "One of the maintainers is Alice" stays true beside "… is Bob". */
const isOneOfMany = /^(?:one|some|part|parts|an?|another|any|most|many|several|among)\b/i;

/** Longer texts make more than one statement. */
const maxLength = 600;

/**
 * Whether a newer statement supersedes an older one ("We use PostgreSQL 16" after "We use PostgreSQL 14", "no longer",
 * "instead of") or contradicts it ("always" and "never"). Undefined when in doubt: a wrong answer would hide what is still
 * true.
 */
export function relationToOlder(older: string, newer: string): "supersedes" | "contradicts" | undefined {
  return relationOfParsed(parseStatement(older), parseStatement(newer));
}

/** The same for texts that are compared with others, too. */
export function relationOfParsed(
  older: ParsedStatement,
  newer: ParsedStatement,
): "supersedes" | "contradicts" | undefined {
  if (older.text.length > maxLength || newer.text.length > maxLength) return undefined;
  const [before, after] = [older.words(), newer.words()];
  if (compareStatements(before, after) >= sameStatement) return undefined;
  if (retracts(before, newer.text)) return "supersedes";
  if (isOpposite(before, after)) return "contradicts";
  if (isOneOfMany.test(older.text.trim())) return undefined;
  const [statement, ...more] = older.clauses();
  if (statement === undefined || more.length > 0) return undefined;
  for (const clause of newer.clauses()) {
    const relation = changedValue(statement, clause);
    if (relation !== undefined) return relation;
  }
  return undefined;
}

/** The same words, with at least one negated in only one of the texts. */
function isOpposite(one: StatementWords, other: StatementWords): boolean {
  let flips = 0;
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const [word, weight] of here.weights) {
      const counterpart = there.weights.get(word);
      if (counterpart === undefined && (isTopic(weight) || here.values.has(word))) return false;
      if (counterpart !== undefined && isTopic(weight) && weight < 0 !== counterpart < 0) flips += 1;
    }
  }
  return flips > 0;
}
