import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { nameFailure } from "../extract/name-failure.js";

/** Whether a learning names one of these errors. */
export function meetsErrors(learning: Learning, errors: readonly string[]): boolean {
  const said = statementOf(learning).toLowerCase();
  return errors.some((error) => {
    const named = nameFailure(error)?.toLowerCase();
    return said.includes(error.toLowerCase()) || (named !== undefined && said.includes(named));
  });
}

/** Whether a convention has to do with these files. */
export function concernsFiles({ content }: Learning, filePatterns: readonly string[]): boolean {
  const texts = [content.pattern ?? "", ...(content.examples ?? [])];
  return filePatterns.some((pattern) => texts.some((text) => text.includes(pattern)));
}
