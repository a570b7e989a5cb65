import type { ExtractedLearning } from "../domain/learning.js";
import { RalphError } from "../domain/ralph-error.js";

/** The same finding in other words. */
export function withStatement<Found extends ExtractedLearning>(found: Found, statement: string): Found {
  const text = statement.trim();
  if (text === "") throw new RalphError("wrong-use", "A learning needs a statement");
  const field = found.type === "convention" ? "pattern" : "description";
  return { ...found, content: { ...found.content, [field]: text } };
}
