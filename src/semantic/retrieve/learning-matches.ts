import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { nameFailure } from "../classify/name-failure.js";

/** Whether a learning mentions one of these errors. */
export function matchesErrors(learning: Learning, errors: readonly string[]): boolean {
  const statement = statementOf(learning).toLowerCase();
  return errors.some((error) => {
    const named = nameFailure(error)?.toLowerCase();
    return statement.includes(error.toLowerCase()) || (named !== undefined && statement.includes(named));
  });
}

/** Whether a convention mentions one of these file patterns. */
export function matchesFiles({ content }: Learning, filePatterns: readonly string[]): boolean {
  const texts = [content.pattern ?? "", ...(content.examples ?? [])];
  return filePatterns.some((pattern) => texts.some((text) => text.includes(pattern)));
}
