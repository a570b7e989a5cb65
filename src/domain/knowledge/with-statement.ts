import { RalphError } from "../ralph-error.js";
import type { ExtractedLearning } from "./learning.js";

/** The same learning, reworded. */
export function withStatement<Found extends ExtractedLearning>(found: Found, statement: string): Found {
  const text = statement.trim();
  if (text === "") throw new RalphError("wrong-use", "A learning needs a statement");
  const field = found.type === "convention" ? "pattern" : "description";
  return { ...found, content: { ...found.content, [field]: text } };
}
